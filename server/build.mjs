/*
 * Makes dist/, which plain Node runs with the production dependencies alone: JavaScript from the TypeScript that the
 * entry points reach, and the files they read. Needs nothing but the compiler, so an image can build it too.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const dist = join(root, 'dist')
const assets = ['openapi/openapi.json', 'package.json']

rmSync(dist, { recursive: true, force: true })
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'server')], { stdio: 'inherit' })
if (status !== 0) process.exit(1)
for (const asset of assets) {
  mkdirSync(dirname(join(dist, asset)), { recursive: true })
  cpSync(join(root, asset), join(dist, asset))
}
