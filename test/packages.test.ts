import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import semver from 'semver'
import { expect, test } from 'vitest'

interface LockedPackage {
  version?: string
  dev?: boolean
  link?: boolean
  engines?: { node?: string }
}

const root = join(import.meta.dirname, '..')
const lock: Record<string, LockedPackage> = JSON.parse(
  await readFile(join(root, 'package-lock.json'), 'utf8'),
).packages
const mebibyte = 2 ** 20

test('no package requires a newer Node than the README', () => {
  const incompatible = Object.entries(lock).filter(
    ([, { engines }]) => engines?.node && !semver.satisfies('20.19.0', engines.node),
  )
  expect(
    incompatible.map(([path, { version, engines }]) => `${path} ${version} requires ${engines?.node}`),
  ).toEqual([])
})

test('npm start installs at most 350 MB', async () => {
  const wanted = Object.entries(lock).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  )
  const sizes = await Promise.all(wanted.map(([path]) => sizeOf(join(root, path))))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  expect(total / mebibyte).toBeGreaterThan(100)
  expect(total / mebibyte).toBeLessThanOrEqual(350)
})

/** Bytes on disk below a package's folder, without nested packages, which the lock file lists themselves. */
async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []) // a package for another platform
  const sizes = await Promise.all(
    entries
      .filter(({ name }) => name !== 'node_modules')
      .map(async (entry) => {
        const below = join(path, entry.name)
        const { blocks, size } = await lstat(below)
        return (blocks ? blocks * 512 : size) + (entry.isDirectory() ? await sizeOf(below) : 0)
      }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

test('CONTRIBUTING names every script', async () => {
  const [manifest = '', text = ''] = await Promise.all(
    ['package.json', '.github/CONTRIBUTING.md'].map((path) => readFile(join(root, path), 'utf8')),
  )
  const { scripts } = JSON.parse(manifest)
  const named = [...text.matchAll(/`(?:npm (?:run )?)?(:?[\w:-]+)`/g)].map(([, name]) => name)
  const unnamed = Object.keys(scripts).filter(
    (name) =>
      !named.includes(name.replace(/^pre/, '')) &&
      !named.includes(name) &&
      !named.includes(name.replace(/^generate:/, ':')),
  )
  expect(unnamed).toEqual([])
})
