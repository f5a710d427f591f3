import { buildDocument } from './document.ts'
import { generatedFile } from './generated-file.ts'

generatedFile(new URL('openapi.json', import.meta.url), `${JSON.stringify(buildDocument(), null, 2)}\n`)
