import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { temporaryDirectory } from './support.ts'

vi.setConfig({ testTimeout: 60_000 })

const script = fileURLToPath(new URL('../../server/ensure-installed.mjs', import.meta.url))

/** A project that depends on one package from a tarball beside it, so that npm needs no registry. */
async function project(): Promise<string> {
  const root = await temporaryDirectory()
  await mkdir(join(root, 'dependency'))
  await writeFile(join(root, 'dependency', 'package.json'), '{"name":"dependency","version":"1.0.0"}')
  npm(root, 'pack', './dependency')
  const dependencies = { dependency: 'file:dependency-1.0.0.tgz' }
  await writeFile(
    join(root, 'package.json'),
    JSON.stringify({ name: 'project', version: '1.0.0', dependencies }),
  )
  npm(root, 'install', '--package-lock-only', '--no-audit', '--no-fund')
  return root
}

function npm(cwd: string, ...args: string[]) {
  execFileSync('npm', args, { cwd, stdio: 'ignore' })
}

function run(root: string, nodeOptions: string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeOptions, script, root], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('installs a fresh clone with one line, and is silent from then on', async () => {
  const root = await project()
  const first = run(root)
  expect(first.status).toBe(0)
  expect(first.stdout).toContain('Installing packages with npm ci (none are installed yet) …\n')
  expect(await readFile(join(root, 'node_modules', 'dependency', 'package.json'), 'utf8')).toContain('1.0.0')
  expect(run(root)).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('installs when the lock file names a package or a version that is not installed', async () => {
  const root = await project()
  run(root)
  const copy = join(root, 'node_modules', '.package-lock.json')
  const installed = await readFile(copy, 'utf8')
  await writeFile(copy, installed.replaceAll('"version": "1.0.0"', '"version": "0.9.0"'))
  expect(run(root).stdout).toContain('npm ci (dependency is another version)')
  await writeFile(copy, JSON.stringify({ packages: {} }))
  expect(run(root).stdout).toContain('npm ci (dependency is missing)')
})

test("a failed installation is one line after npm's own, and status 1", async () => {
  const root = await project()
  await writeFile(
    join(root, 'package.json'),
    JSON.stringify({ name: 'project', dependencies: { other: '1.0.0' } }),
  )
  const { status, stderr } = run(root)
  expect(status).toBe(1)
  expect(stderr.trimEnd().split('\n').at(-1)).toBe('npm ci failed; its messages are above.')
})

test('an old Node is one line, before anything else', async () => {
  const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.18.3'}})`
  const { status, stdout, stderr } = run(await temporaryDirectory(), ['--import', old])
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Node 20.19 or newer is needed; this is 20.18.3.\n',
  })
})
