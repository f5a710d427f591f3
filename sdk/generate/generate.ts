import { readFileSync } from 'node:fs'
import { generatedFile } from '../../openapi/generated-file.ts'
import { apiSource } from './api.ts'
import { contractsSource } from './contracts.ts'
import { querySchemas, readDocument, readOperations } from './document.ts'
import { resourcesSource } from './resources.ts'
import { schemaSource } from './schema.ts'
import { testingSource } from './testing.ts'
import { toolsSource } from './tools.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const document = readDocument()
const operations = readOperations(document)
const schemas = { ...document.components.schemas, ...Object.fromEntries(querySchemas(operations)) }
const sources: Record<string, string> = {
  'schema.ts': await schemaSource(document, schemas),
  'resources.ts': resourcesSource(operations),
  'contracts.ts': contractsSource(),
  'testing.ts': testingSource(document, operations),
  'tools.ts': toolsSource(),
  'version.ts': `/** The version of this package. */\nexport const version = '${version}'\n`,
}
const heading = '// Written by sdk/generate/generate.ts (npm run generate:sdk). Do not edit.\n\n'
for (const [name, source] of Object.entries(sources))
  generatedFile(new URL(`../src/generated/${name}`, import.meta.url), heading + source)
// It reads what was written above.
generatedFile(new URL('../api.md', import.meta.url), apiSource(document, operations, schemas))
