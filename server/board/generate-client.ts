import { build } from 'esbuild'
import { generatedFile } from '../../openapi/generated-file.ts'

/*
 * Bundles what runs in browsers into one module, which is committed: neither a start from source nor a test has to build it.
 * With --check it only compares.
 */
const { outputFiles } = await build({
  entryPoints: [new URL('client/board.ts', import.meta.url).pathname],
  bundle: true,
  minify: true,
  charset: 'utf8',
  format: 'esm',
  target: 'es2022',
  write: false,
  logLevel: 'warning',
})
for (const { text } of outputFiles) generatedFile(new URL('generated/board.js', import.meta.url), text)
