import { stringify } from 'yaml'
import { listOperations } from '../server/http/adapter/operations.ts'
import { bindTools } from '../server/mcp/definitions.ts'
import { router } from '../server/router.ts'
import { buildDocument } from './document.ts'
import { downgrade } from './downgrade.ts'
import { sortKeys } from './finish/sort.ts'
import { generatedFile } from './generated-file.ts'

/*
 * Writes all renderings of the document, which are committed: the service needs neither the converter nor the YAML
 * library, and a change of an operation shows what each kind of client gets.
 */
// First: the generator of the document changes the shared schemas.
const tools = bindTools(listOperations(router)).map(({ operation, definition }) => ({
  ...definition,
  operation,
}))
const document = buildDocument()
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
generatedFile(new URL('openapi.json', import.meta.url), json(document))
generatedFile(new URL('openapi-3.0.json', import.meta.url), json(sortKeys(downgrade(document))))
generatedFile(
  new URL('openapi.yaml', import.meta.url),
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }),
)
generatedFile(new URL('tools.json', import.meta.url), json(tools))
