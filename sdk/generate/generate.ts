import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { generatedFile } from '../../openapi/generated-file.ts'
import { apiMarkdown } from './api.ts'
import { contractsSource } from './contracts.ts'
import { documentUrl, readDocument, readOperations } from './document.ts'
import { modelsSource } from './models.ts'
import { resourcesSource } from './resources.ts'
import { toolsSource } from './tools.ts'

const document = readDocument()
const operations = readOperations(document)
const schema = astToString(
  await openapiTypescript(documentUrl, {
    defaultNonNullable: false,
    alphabetize: true,
    silent: true,
    inject: "import type { Unlisted } from '../core/unlisted.ts'\n",
    // "A string that is none of these" has no type in TypeScript. The marked string keeps the union discriminated.
    transform: (schema) =>
      'not' in schema && isListOfValues(schema.not)
        ? ts.factory.createTypeReferenceNode('Unlisted')
        : undefined,
  }),
)
const sources: Record<string, string> = {
  'schema.ts': schema,
  'models.ts': modelsSource(document, operations),
  'resources.ts': resourcesSource(operations),
  'contracts.ts': contractsSource(),
  'tools.ts': toolsSource(),
}
const heading = '// Written by sdk/generate/generate.ts (npm run generate:sdk). Do not edit.\n\n'
for (const [name, source] of Object.entries(sources))
  generatedFile(new URL(`../src/generated/${name}`, import.meta.url), heading + source)
generatedFile(new URL('../api.md', import.meta.url), apiMarkdown(operations))

function isListOfValues(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'enum' in schema
}
