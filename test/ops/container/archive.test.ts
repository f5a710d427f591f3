import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { archiveInTest } from '../../failover/support/cluster/archive.ts'
import { root } from '../support/service.ts'

const segment = '000000020000000000000003'
const script = (name: string) => join(root, 'server/ops/cluster', name)

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-archive-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The contents of all archived files, the plain name first. Nothing else may have been left behind. */
async function archived(archive: string): Promise<string[]> {
  const names = (await readdir(archive)).filter((name) => name !== '.archive').sort()
  return Promise.all(names.map((name) => readFile(join(archive, name), 'utf8')))
}

/** Runs one of the scripts. Programs in `path` come before those of this machine. */
function run(name: string, args: string[], { archive, path }: { archive: string; path?: string }) {
  const env = { PATH: path ? `${path}:${process.env.PATH}` : process.env.PATH, ARCHIVE: archive }
  const { status, stderr } = spawnSync(script(name), args, { env, encoding: 'utf8' })
  return { status, stderr }
}

/** A node's own copy of a file. */
async function ownCopy(name: string, content: string): Promise<string> {
  const path = join(await temporaryFolder(), name)
  await writeFile(path, content)
  return path
}

/** Archives the contents one after the other under one name. */
async function archiveInTurn(name: string, contents: string[]) {
  const archive = await archiveInTest()
  const statuses: (number | null)[] = []
  for (const content of contents)
    statuses.push(run('archive-wal', [await ownCopy(name, content), name], { archive }).status)
  return { statuses, archived: await archived(archive) }
}

/** A node archives a file, and while it copies, another node archives its own from beginning to end. */
async function archiveAtOnce(name: string, [slow, quick]: [string, string]) {
  const archive = await archiveInTest()
  const path = await temporaryFolder()
  const other = join(path, 'status')
  const cp = `#!/bin/sh
export PATH='${process.env.PATH}'
cp "$@"
'${script('archive-wal')}' '${await ownCopy(name, quick)}' '${name}'
echo $? > '${other}'
`
  await writeFile(join(path, 'cp'), cp, { mode: 0o755 })
  const { status } = run('archive-wal', [await ownCopy(name, slow), name], { archive, path })
  const statuses = { slow: status, quick: Number(await readFile(other, 'utf8')) }
  return { statuses, archived: await archived(archive) }
}

test('two nodes archive a file once', async () => {
  expect(await archiveInTurn(segment, ['one', 'one'])).toEqual({ statuses: [0, 0], archived: ['one'] })
})

test('a file that differs does not stop a node from archiving', async () => {
  expect(await archiveInTurn(`${segment}.partial`, ['one', 'two', 'two'])).toEqual({
    statuses: [0, 0, 0],
    archived: ['one', 'two'],
  })
})

test('a second timeline under the number of another one is refused', async () => {
  expect(await archiveInTurn('00000002.history', ['one', 'two'])).toEqual({
    statuses: [0, 1],
    archived: ['one'],
  })
})

test('of two nodes that archive different copies at once, neither replaces the other one’s', async () => {
  expect(await archiveAtOnce(segment, ['one', 'two'])).toEqual({
    statuses: { slow: 0, quick: 0 },
    archived: ['two', 'one'],
  })
})

test('of two nodes that archive the same copy at once, both succeed', async () => {
  expect(await archiveAtOnce(segment, ['one', 'one'])).toEqual({
    statuses: { slow: 0, quick: 0 },
    archived: ['one'],
  })
})

test('of two clusters that archive one timeline at once, one is refused', async () => {
  expect(await archiveAtOnce('00000002.history', ['one', 'two'])).toEqual({
    statuses: { slow: 1, quick: 0 },
    archived: ['two'],
  })
})

test('a folder that is not the archive is neither written nor read', async () => {
  const archive = await temporaryFolder()
  const data = join(await temporaryFolder(), 'data')
  for (const [name, args, status] of [
    ['archive-wal', [await ownCopy(segment, 'one'), segment], 1],
    // Postgres takes a lower status for the end of the archive, and would go on without the rest.
    ['restore-wal', [segment, join(await temporaryFolder(), segment)], 126],
    ['backup', [join(archive, 'backup')], 1],
    ['restore-backup', [join(archive, 'backup'), data], 1],
  ] as const)
    expect(run(name, [...args], { archive }), name).toEqual({
      status,
      stderr: expect.stringContaining(`${archive} is not the archive: the file .archive is missing`),
    })
  expect(await readdir(archive)).toEqual([])
})

test('a recovery reads what the archive has, and status 1 is its end', async () => {
  const archive = await archiveInTest()
  run('archive-wal', [await ownCopy(segment, 'one'), segment], { archive })
  const target = join(await temporaryFolder(), 'RECOVERYXLOG')
  expect(run('restore-wal', [segment, target], { archive }).status).toBe(0)
  expect(await readFile(target, 'utf8')).toBe('one')
  expect(run('restore-wal', ['000000020000000000000004', target], { archive }).status).toBe(1)
})
