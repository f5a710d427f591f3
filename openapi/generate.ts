import { stringify } from 'yaml'
import { buildDocument } from './document.ts'
import { downgrade } from './downgrade.ts'
import { sortKeys } from './finish/sort.ts'
import { generatedFile } from './generated-file.ts'

/*
 * All renderings are made here and committed: the service reads files and needs neither the converter nor the YAML
 * library, and whoever changes an operation sees what each kind of client gets.
 */
const document = buildDocument()
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
generatedFile(new URL('openapi.json', import.meta.url), json(document))
generatedFile(new URL('openapi-3.0.json', import.meta.url), json(sortKeys(downgrade(document))))
generatedFile(
  new URL('openapi.yaml', import.meta.url),
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }),
)
