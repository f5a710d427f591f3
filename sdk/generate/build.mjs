/*
 * Builds the package into `dist`: the code with its source maps, and the documents that it exports.
 *
 *   npm run build:sdk
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

const sdk = new URL('..', import.meta.url)
const at = (path) => new URL(path, sdk)

rmSync(at('dist'), { recursive: true, force: true })
const { status } = spawnSync('tsc', ['-p', 'tsconfig.json'], {
  cwd: sdk,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (status !== 0) process.exit(1)
const { definitions } = await import(at('dist/generated/tools.js').href)
writeFileSync(at('dist/tools.json'), JSON.stringify(definitions))
const document = JSON.parse(readFileSync(at('../openapi/openapi.json'), 'utf8'))
writeFileSync(at('dist/openapi.json'), JSON.stringify(document))
