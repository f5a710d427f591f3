/** @module-tag postgres */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase, createPool, type Database } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate/migrate.ts'
import { isRoot, unprivilegedAccount } from '../embedded/support.ts'
import { pathOf } from '../support/programs.ts'
import { built, run } from './support/service.ts'

let server: ChildProcess
/** The administrator's address, without a database. */
let administrator: URL

/** A cluster of Debian's packages, which ends with its standard input. */
beforeAll(async () => {
  const words = ['sh', '-c', 'echo "$PGUSER $PGPASSWORD $PGPORT ready"; read -r _']
  server = spawn(pathOf('postgres') as string, words, {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: tmpdir() },
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(isRoot && unprivilegedAccount()),
  })
  let output = ''
  for await (const chunk of server.stdout ?? []) {
    output += chunk
    const [, user, password, port] = /(\S+) (\S+) (\d+) ready/.exec(output) ?? []
    if (!port) continue
    administrator = new URL(`postgres://${user}:${password}@localhost:${port}/postgres`)
    return
  }
  throw new Error(`no server: ${output}`)
})
afterAll(async () => {
  server.stdin?.end()
  await once(server, 'close')
})

/** An empty database that a role may use which owns nothing, not even the database. */
async function emptyDatabase(name: string): Promise<string> {
  const admin = createDatabase(createPool(administrator.href, { size: 1 }))
  await sql.raw(`create role ${name} login password 'x'`).execute(admin)
  await sql.raw(`create database ${name} template template0 encoding 'UTF8'`).execute(admin)
  await admin.destroy()
  const inside = new URL(administrator)
  inside.pathname = `/${name}`
  const own = createDatabase(createPool(inside.href, { size: 1 }))
  await sql.raw(`create extension pg_trgm; grant create on schema public to ${name}`).execute(own)
  await own.destroy()
  Object.assign(inside, { username: name, password: 'x' })
  return inside.href
}

const program = await built('ops/backup')

const command = (name: string, DATABASE_URL: string, file: string) =>
  run([...program, name, file], { DATABASE_URL })

/** The tables with all their rows, by name. */
async function contentsOf(db: Database): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(
    db,
  )
  const rows = tables.map(async ({ name }) => [
    name,
    (await sql`select * from ${sql.table(name)} t order by t::text`.execute(db)).rows,
  ])
  return Object.fromEntries(await Promise.all(rows))
}

test('what was backed up is restored, all of it, by a role that owns nothing else', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-test-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'backup')
  const from = await emptyDatabase('before')
  const to = await emptyDatabase('after')
  const open = (url: string) => {
    const db = createDatabase(createPool(url, { size: 2 }))
    onTestFinished(() => db.destroy())
    return db
  }
  const before = open(from)
  const after = open(to)
  await migrate(before)
  await sql`insert into service_keys values ('a name', '\\x00ff')`.execute(before)
  const saved = command('backup', from, file)
  expect(await saved.exited, saved.output()).toBe(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const restored = command('restore', to, file)
  expect(await restored.exited, restored.output()).toBe(0)
  const contents = await contentsOf(before)
  expect(contents.service_keys).toHaveLength(1)
  expect(await contentsOf(after)).toEqual(contents)
  expect(await migrate(after)).toEqual([])

  const whole = await readFile(file)
  const empty = await emptyDatabase('unchanged')
  for (const length of [0, 3, 100, Math.floor(whole.length / 2), whole.length - 1]) {
    await writeFile(`${file}-cut`, whole.subarray(0, length))
    const cut = command('restore', empty, `${file}-cut`)
    expect(await cut.exited, `${length} bytes`).toBe(1)
    expect(cut.output()).toContain('-cut is cut, damaged or no backup. The database was not touched')
  }
  expect(await contentsOf(open(empty))).toEqual({})

  const again = command('restore', to, file)
  expect(await again.exited).toBe(1)
  expect(again.output()).toMatch(/^the database is not empty: it has the table \w+\n$/)
  const lost = command('backup', to.replace('/after', '/nowhere'), `${file}-2`)
  expect(await lost.exited).toBe(1)
  expect(lost.output()).toContain('pg_dump failed')
  await expect(stat(`${file}-2`)).rejects.toThrow('ENOENT')
})
