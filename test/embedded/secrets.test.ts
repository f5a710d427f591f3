import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { loadOrCreateSecrets } from '../../server/embedded/secrets.ts'
import { temporaryDirectory } from './support.ts'

test('are generated once per directory, and differ between directories', async () => {
  const directory = await temporaryDirectory()
  const first = await loadOrCreateSecrets(directory)
  expect(await loadOrCreateSecrets(directory)).toEqual(first)
  const other = await loadOrCreateSecrets(await temporaryDirectory())
  const all = [first, other].flatMap(
    ({ walletMasterKey, deployerPrivateKey, operatorPrivateKeys, githubToken }) => [
      walletMasterKey,
      githubToken,
      ...[deployerPrivateKey, ...operatorPrivateKeys].map((key) => privateKeyToAddress(key)),
    ],
  )
  expect(new Set(all).size).toBe(10)
})

test('are in one file of mode 600', async () => {
  const directory = await temporaryDirectory()
  await loadOrCreateSecrets(directory)
  expect(await readdir(directory)).toEqual(['secrets.json'])
  expect((await stat(join(directory, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

test('a damaged file is an error that does not quote it, and is not changed', async () => {
  const directory = await temporaryDirectory()
  const { walletMasterKey } = await loadOrCreateSecrets(directory)
  const path = join(directory, 'secrets.json')
  const half = (await readFile(path, 'utf8')).slice(0, -20)
  await writeFile(path, half)
  const error = await loadOrCreateSecrets(directory).catch((reason) => reason)
  expect(error.message).toMatch(/secrets\.json is damaged/)
  expect(error.message).not.toContain(walletMasterKey.slice(0, 8))
  expect(await readFile(path, 'utf8')).toBe(half)
})
