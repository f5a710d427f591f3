import { execFileSync, spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { directoryForFile, temporaryDirectory } from '../embedded/support.ts'

const script = fileURLToPath(new URL('../../server/ops/ensure-installed.mjs', import.meta.url))

const template = await makeProject()

/** A project that depends on a package, and its tests on another, from tarballs, so that npm needs no registry. */
async function makeProject(): Promise<string> {
  const root = await directoryForFile()
  for (const name of ['dependency', 'tester']) {
    await mkdir(join(root, name))
    await writeFile(join(root, name, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
  }
  npm(root, 'pack', './dependency', './tester')
  const dependencies = { dependency: 'file:dependency-1.0.0.tgz' }
  const devDependencies = { tester: 'file:tester-1.0.0.tgz' }
  const manifest = { name: 'project', version: '1.0.0', dependencies, devDependencies }
  await writeFile(join(root, 'package.json'), JSON.stringify(manifest))
  npm(root, 'install', '--package-lock-only', '--no-audit', '--no-fund')
  return root
}

async function project(): Promise<string> {
  const root = await temporaryDirectory()
  await cp(template, root, { recursive: true })
  return root
}

function npm(cwd: string, ...args: string[]) {
  execFileSync('npm', args, { cwd, stdio: 'ignore' })
}

function run(root: string, options: { tests?: boolean; node?: string[]; env?: Record<string, string> } = {}) {
  const words = [...(options.node ?? []), script, ...(options.tests ? ['--tests'] : []), root]
  const env = { ...process.env, ...options.env }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

/** The packages that are there, each with the identity of its manifest: another one where it was installed anew. */
async function packages(root: string): Promise<Record<string, number>> {
  const names = (await readdir(join(root, 'node_modules'))).filter((name) => !name.startsWith('.'))
  const entries = names.map(async (name) => {
    const { ino } = await stat(join(root, 'node_modules', name, 'package.json'))
    return [name, ino] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

test('installs a fresh clone with two lines, and is silent from then on', async () => {
  const root = await project()
  const first = run(root)
  expect(first.status).toBe(0)
  expect(first.stdout).toContain(
    'Installing the packages of the service with npm ci (none are installed yet).\n' +
      'It is done once and takes about half a minute on a fast network.\n',
  )
  expect(Object.keys(await packages(root))).toEqual(['dependency'])
  expect(run(root)).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('adds what tests need to what runs the service, which stays as it is, also in production', async () => {
  const root = await project()
  const env = { NODE_ENV: 'production' }
  const lock = await readFile(join(root, 'package-lock.json'), 'utf8')
  run(root, { env })
  const before = await packages(root)
  const added = run(root, { tests: true, env })
  expect(added.stdout).toContain(
    'Installing the packages of the service and of its tests with npm install (tester is missing).\n',
  )
  expect(await packages(root)).toEqual({ ...before, tester: expect.any(Number) })
  expect(await readFile(join(root, 'package-lock.json'), 'utf8')).toBe(lock)
  expect(run(root, { env })).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(run(root, { tests: true, env })).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('keeps what tests need where the service needs another version', async () => {
  const root = await project()
  run(root, { tests: true })
  const copy = join(root, 'node_modules', '.package-lock.json')
  const packed = JSON.parse(await readFile(copy, 'utf8'))
  packed.packages['node_modules/dependency'].version = '0.9.0'
  await writeFile(copy, JSON.stringify(packed))
  expect(run(root).stdout).toContain('npm ci (dependency is another version)')
  expect(Object.keys(await packages(root))).toEqual(['dependency', 'tester'])
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
  const { status, stdout, stderr } = run(await temporaryDirectory(), { node: ['--import', old] })
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Node 20.19 or newer is needed; this is 20.18.3.\n',
  })
})
