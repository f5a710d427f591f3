import { build } from 'esbuild'
import { generatedFile } from '../../openapi/generated-file.ts'

/*
 * Bundles what runs in browsers into a module for pages that are read and one for those on which people act, so that each page loads
 * one alone. Both are committed: neither a start from source nor a test has to build them. With --check it only compares.
 */
const names = ['board', 'desk']
const { outputFiles } = await build({
  entryPoints: names.map((name) => new URL(`client/${name}.ts`, import.meta.url).pathname),
  outdir: 'generated',
  bundle: true,
  minify: true,
  charset: 'utf8',
  format: 'esm',
  target: 'es2022',
  write: false,
  logLevel: 'warning',
})
for (const [index, { text }] of outputFiles.entries())
  generatedFile(new URL(`generated/${names[index]}.js`, import.meta.url), text)
