import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildDocument } from './document.ts'
import { generatedFile } from './generated-file.ts'

/** Writes the document. Formatted, it shows what a change of an operation changes for clients. */
const path = new URL('openapi.json', import.meta.url)
const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url))
const formatted = execFileSync(
  process.execPath,
  [biome, 'format', `--stdin-file-path=${fileURLToPath(path)}`],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    input: JSON.stringify(buildDocument()),
    encoding: 'utf8',
  },
)
generatedFile(path, formatted)
