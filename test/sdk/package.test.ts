import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkTypes, surroundings } from './support/consumer.ts'
import { type Installation, installPackage, root } from './support/package.ts'

const run = promisify(execFile)
const bin = (name: string) => join(root, 'node_modules', '.bin', name)

let installed: Installation
beforeAll(async () => {
  installed = await installPackage()
}, 120_000)
afterAll(() => installed.remove())

test('it holds the built code, its documentation and nothing else', () => {
  const unexpected = installed.files.filter(
    (path) => !/^(dist\/.+\.(js|d\.ts)|README\.md|LICENSE|api\.md|package\.json)$/.test(path),
  )
  expect(unexpected).toEqual([])
  expect(installed.files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/chain/index.d.ts']))
})

test('it brings no other package with it', async () => {
  const modules = await readdir(join(installed.directory, 'node_modules'))
  expect(modules.filter((name) => !name.startsWith('.')).sort()).toEqual(
    ['@bounty-marketplace', '@hpke', '@types', 'undici-types', 'viem'].sort(),
  )
})

describe('its types, checked strictly', () => {
  test.each(Object.entries(surroundings))('with our own TypeScript, for %s', async (_, options) => {
    expect(await checkTypes(installed, bin('tsc'), options)).toBe('')
  })
})

test('it runs where it is installed', async () => {
  await installed.write(
    'run.mjs',
    `import { Marketplace } from '@bounty-marketplace/sdk'
     const fetch = async (url, { headers }) => Response.json({ url, key: headers.authorization })
     console.log(JSON.stringify(await new Marketplace({ baseUrl: 'https://a.example', apiKey: 'k', fetch }).agents.me()))`,
  )
  expect(JSON.parse(await installed.run(process.execPath, ['run.mjs']))).toEqual({
    url: 'https://a.example/api/agents/me',
    key: 'Bearer k',
  })
})

test('without /chain it is at most 8 kB, for browsers too, and needs no viem', async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '@bounty-marketplace/sdk'`, resolveDir: installed.directory },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  expect(code.length).toBeGreaterThan(1000)
  expect(gzipSync(code).length).toBeLessThanOrEqual(8 * 1024)
})

test('publint reports nothing', async () => {
  const { stdout } = await run(bin('publint'), ['--strict', installed.tarball])
  expect(stdout).toContain('All good!')
})

test('its types are right for every kind of resolution', async () => {
  // Exits with 1 where it finds a problem.
  const { stdout } = await run(bin('attw'), [installed.tarball, '--profile', 'esm-only', '--no-emoji'])
  expect(stdout.match(/node16 \(from ESM\): OK|bundler: OK/g)).toHaveLength(8)
})

test('npm would publish it as it is', async () => {
  const args = ['publish', '--dry-run', '--ignore-scripts', '--tag', 'latest']
  const { stderr } = await run('npm', args, { cwd: installed.source })
  const corrected = stderr.split('\n').filter((line) => /npm (warn|error) publish/i.test(line))
  // Nobody is logged in here; that is all it may miss.
  expect(corrected.filter((line) => !line.includes('requires you to be logged in'))).toEqual([])
})
