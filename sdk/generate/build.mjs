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
for (const name of ['openapi.json', 'tools.json']) {
  const document = JSON.parse(readFileSync(at(`../openapi/${name}`), 'utf8'))
  writeFileSync(at(`dist/${name}`), JSON.stringify(document))
}
