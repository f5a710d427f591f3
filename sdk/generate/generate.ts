import { generatedFile } from '../../openapi/generated-file.ts'
import { contractsSource } from './contracts.ts'
import { readDocument, readOperations } from './document.ts'
import { modelsSource } from './models.ts'
import { resourcesSource } from './resources.ts'
import { toolsSource } from './tools.ts'

const document = readDocument()
const operations = readOperations(document)
const sources: Record<string, string> = {
  'models.ts': modelsSource(document, operations),
  'resources.ts': resourcesSource(operations),
  'contracts.ts': contractsSource(),
  'tools.ts': toolsSource(),
}
const heading = '// Written by sdk/generate/generate.ts (npm run generate:sdk). Do not edit.\n\n'
for (const [name, source] of Object.entries(sources))
  generatedFile(new URL(`../src/generated/${name}`, import.meta.url), heading + source)
