import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readIfPresent, writeFileDurably } from '../../server/embedded/durable-files.ts'
import { temporaryDirectory } from './support.ts'

describe('a durable write', () => {
  test('creates the folders above the file, and replaces its content', async () => {
    const path = join(await temporaryDirectory(), 'a', 'b', 'file')
    await writeFileDurably(path, 'a long first content')
    await writeFileDurably(path, 'short')
    expect(await readFile(path, 'utf8')).toBe('short')
  })

  test('gives the file its mode, and leaves no other file', async () => {
    const directory = await temporaryDirectory()
    await writeFileDurably(join(directory, 'file'), 'secret', 0o600)
    expect((await stat(join(directory, 'file'))).mode & 0o777).toBe(0o600)
    expect(await readdir(directory)).toEqual(['file'])
  })

  test('of several at once leaves one of them complete', async () => {
    const directory = await temporaryDirectory()
    const contents = Array.from({ length: 10 }, (_, index) => String(index).repeat(100_000))
    await Promise.all(contents.map((content) => writeFileDurably(join(directory, 'file'), content)))
    expect(contents).toContain(await readFile(join(directory, 'file'), 'utf8'))
    expect(await readdir(directory)).toEqual(['file'])
  })
})

test('a missing file is undefined; every other error is thrown', async () => {
  const directory = await temporaryDirectory()
  expect(await readIfPresent(join(directory, 'none'))).toBeUndefined()
  await mkdir(join(directory, 'folder'))
  await expect(readIfPresent(join(directory, 'folder'))).rejects.toMatchObject({ code: 'EISDIR' })
})
