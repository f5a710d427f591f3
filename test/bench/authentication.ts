import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiKeys, loadChecksumKey } from '../../server/auth/api-keys.ts'
import { createDatabase, createPool, type Database } from '../../server/db/client.ts'
import { migrate } from '../../server/db/migrate/migrate.ts'
import { pipelinedReads } from '../../server/db/reads/reads.ts'
import { startPostgres } from '../../server/embedded/postgres/postgres.ts'
import { newId } from '../../server/ids.ts'

// What authentication costs: processor time of this process, which the database's own is no part of, and the time that a
// caller sees, by which nobody should be able to tell an unknown key from a revoked one. tsx test/bench/authentication.ts

const rounds = 20_000
const hashingRounds = 100
const atOnce = 32
const agents = 200
const quiet = { info: () => undefined, warn: () => undefined }

/** One kind of key: what authenticating with the nth of them does, settled either way. */
interface Case {
  name: string
  rounds: number
  key(nth: number): string
}

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-bench-'))
  const postgres = await startPostgres({ directory, log: quiet })
  const db = createDatabase(createPool(postgres.url, { size: 4 }))
  await migrate(db)
  const reads = pipelinedReads(postgres.url, db)
  try {
    const checksumKey = await loadChecksumKey(db)
    const apiKeys = createApiKeys({ checksumKey })
    const [living, revoked] = [await insertAgents(db, apiKeys), await insertAgents(db, apiKeys)]
    await revoke(
      db,
      revoked.map(({ id }) => id),
    )
    const authenticate = (key: string) =>
      apiKeys.authenticate(reads, `Bearer ${key}`).then(
        () => undefined,
        () => undefined,
      )
    const withChecksum = (body: string) =>
      body + createHmac('sha256', checksumKey).update(body).digest('hex').slice(0, 16)
    const keyOf = (list: { key: string }[], nth: number) => list[nth % list.length]?.key ?? ''
    const nthText = (nth: number, length: number) => String(nth).padStart(length, '0')
    const cases: Case[] = [
      { name: 'remembered key', rounds, key: (nth) => keyOf(living, nth) },
      { name: 'wrong checksum', rounds, key: (nth) => `${keyOf(living, nth).slice(0, -1)}!` },
      {
        name: 'unknown id, right checksum',
        rounds,
        key: (nth) => withChecksum(`bmk_${nthText(nth, 16)}_${nthText(nth, 28)}`),
      },
      { name: 'revoked, once remembered', rounds, key: (nth) => keyOf(revoked, nth) },
      {
        name: 'wrong secret, right checksum (argon2)',
        rounds: hashingRounds,
        key: (nth) => withChecksum(`${keyOf(living, nth).slice(0, 21)}${nthText(nth, 28)}`),
      },
    ]
    console.log(`${cpus()[0]?.model}, node ${process.version}\n`)
    console.log('| key | CPU each, µs | median, µs | 95 % | 99 % |\n|---|---|---|---|---|')
    for (const measured of cases) console.log(await measure(measured, authenticate))
    const fresh = createApiKeys({ checksumKey })
    const first = (key: string) => fresh.authenticate(reads, `Bearer ${key}`).then(() => undefined)
    const name = 'first verification in a process (argon2)'
    console.log(
      await measure({ name, rounds: hashingRounds, key: (nth) => keyOf(living, nth) }, first, false),
    )
  } finally {
    await reads.close()
    await db.destroy()
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Processor time with many at once, as a busy server has it; times one after the other. */
async function measure(
  { name, rounds, key }: Case,
  authenticate: (key: string) => Promise<void>,
  warm = true,
): Promise<string> {
  const keys = Array.from({ length: rounds }, (_, nth) => key(nth))
  const all = async () => {
    for (let start = 0; start < rounds; start += atOnce)
      await Promise.all(keys.slice(start, start + atOnce).map(authenticate))
  }
  if (warm) await all()
  const times: number[] = []
  // Half of the keys for each figure, since the first verification of a key happens once.
  const half = warm ? rounds : rounds / 2
  const before = process.cpuUsage()
  if (warm) await all()
  else await Promise.all(keys.slice(half).map(authenticate))
  const { user, system } = process.cpuUsage(before)
  for (const each of keys.slice(0, Math.min(half, 2000))) {
    const begun = performance.now()
    await authenticate(each)
    times.push((performance.now() - begun) * 1000)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  return `| ${name} | ${((user + system) / half).toFixed(1)} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} |`
}

async function insertAgents(
  db: Database,
  apiKeys: ReturnType<typeof createApiKeys>,
): Promise<{ id: string; key: string }[]> {
  const issued = await Promise.all(Array.from({ length: agents }, () => apiKeys.issue()))
  const rows = issued.map(({ apiKey, keyId, keyHash }) => ({
    id: newId('agent'),
    key: apiKey,
    keyId,
    keyHash,
  }))
  await db
    .insertInto('agents')
    .values(rows.map(({ id, keyId, keyHash }) => ({ id, name: 'Ada', key_id: keyId, key_hash: keyHash })))
    .execute()
  return rows
}

/** Replaces the agents' keys by ones that nobody has, as of now. */
async function revoke(db: Database, ids: string[]): Promise<void> {
  const rows = await db
    .selectFrom('agents')
    .where('id', 'in', ids)
    .select(['id', 'key_id', 'key_hash'])
    .execute()
  await db
    .insertInto('replaced_keys')
    .values(rows.map(({ id, ...key }) => ({ ...key, agent_id: id, ends_at: new Date() })))
    .execute()
  for (const { id } of rows)
    await db
      .updateTable('agents')
      .set({ key_id: newId('agent').slice(-16) })
      .where('id', '=', id)
      .execute()
}

await main()
