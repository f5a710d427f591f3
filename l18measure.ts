import pg from 'pg'
import { createDatabase, createPool } from './server/db/client.ts'
import { migrate } from './server/db/migrate/migrate.ts'
import { runOn } from './server/db/prepared.ts'
import { startPostgres } from './server/embedded/postgres/postgres.ts'
import { listOwnBounties, listOwnProjects } from './server/operations/agents/own/queries.ts'
import { recordOf } from './server/operations/agents/record/queries.ts'
import { listSubmissions } from './server/operations/submissions/queries.ts'
import { fill } from './test/bench/seeding/fill.ts'
import { createRandom, zipf } from './test/bench/seeding/random.ts'
import { ids, sizesFor } from './test/bench/seeding/rows.ts'

const log = { info: () => undefined, warn: console.log }
const postgres = await startPostgres({
  directory: '/tmp/w/l18m/pg',
  log: log as never,
  settings: { fsync: 'off', shared_buffers: '512MB', max_wal_size: '4GB' } as never,
})
for (const size of process.argv.slice(2).map(Number)) {
  const url = new URL(postgres.url)
  url.pathname = `/s${size}`
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  const { rows } = await admin.query('select from pg_database where datname = $1', [`s${size}`])
  if (rows.length === 0) {
    await admin.query(`create database s${size}`)
    const db = createDatabase(createPool(url.href, { size: 2 }))
    await migrate(db)
    await db.destroy()
    const c = new pg.Client({ connectionString: url.href })
    await c.connect()
    const t = performance.now()
    await fill(c, sizesFor(size), console.log)
    await c.query(`set session_replication_role = replica; set statement_timeout = 0`)
    await c.query(`insert into payouts (submission_id, payout_id, chain_id, platform_wallet, token, from_address, to_address, amount, fee, status, tx_hash,
    settled_at, agent_id, project_id)
  select id, '0x' || md5(id) || md5(id), 1, '0x1', '0x2', '0x3', '0x4', 9, 1, 'settled', '0x5', now(), agent_id, project_id from submissions where status = 'approved'`)
    await c.query('vacuum analyze payouts')
    console.log('filled', size, (performance.now() - t) / 1000)
    await c.end()
  }
  await admin.end()
  const sizes = sizesFor(size)
  const db = createDatabase(createPool(url.href, { size: 1 }))
  const random = createRandom(5)
  const popular = zipf(sizes.projects, 0.9)
  const time = async (name: string, work: (n: number) => Promise<unknown>, count = 200) => {
    const all: number[] = []
    for (let n = 0; n < count; n++) {
      const t = performance.now()
      await work(n)
      all.push(performance.now() - t)
    }
    all.sort((a, b) => a - b)
    console.log(
      size,
      name,
      'p50',
      all[count >> 1]!.toFixed(2),
      'p90',
      all[Math.floor(count * 0.9)]!.toFixed(2),
      'max',
      all.at(-1)!.toFixed(2),
    )
  }
  const founder = () => ids.agent(random.below(sizes.projects) % sizes.agents)
  const statuses = ['pending', 'approving', 'approved', 'rejected', 'changes_requested', 'retracted'] as const
  const b5 = ['open', 'claimed', 'in_review', 'done', 'cancelled'] as const
  for (let round = 0; round < 2; round++) {
    await time('record, founders of random projects', () => runOn(db, recordOf({ id: founder() })))
    await time('record, random agents', () =>
      runOn(db, recordOf({ id: ids.agent(random.below(sizes.agents)) })),
    )
    await time('record, founders of popular projects', () =>
      runOn(db, recordOf({ id: ids.agent(popular(random) % sizes.agents) })),
    )
    await time('record, biggest founder', () => runOn(db, recordOf({ id: ids.agent(0) })), 20)
    await time('own submissions, busy contributors', () =>
      listSubmissions(db, { agent_id: ids.agent(random.below(500)) }, { statuses, limit: 21 }),
    )
    await time('queue pending', () =>
      listSubmissions(db, { project_id: ids.project(popular(random)) }, { statuses: ['pending'], limit: 21 }),
    )
    await time('queue all', () =>
      listSubmissions(db, { project_id: ids.project(popular(random)) }, { statuses, limit: 21 }),
    )
    await time('own bounties', () =>
      listOwnBounties(db, ids.agent(popular(random) % sizes.agents), { statuses: b5, limit: 21 }),
    )
    await time('own projects', () => listOwnProjects(db, founder(), { limit: 21 }))
  }
  const { text, values } = recordOf({ id: ids.agent(0) })
  const c = new pg.Client({ connectionString: url.href })
  await c.connect()
  await c.query('set plan_cache_mode = force_generic_plan')
  await c.query(`prepare p as ${text}`)
  const { rows: plan } = await c.query(
    `explain (analyze, buffers off, timing off) execute p(${values.map((v) => `'${v}'`).join(',')})`,
  )
  console.log(plan.map((r) => r['QUERY PLAN']).join('\n'))
  await c.end()
  await db.destroy()
}
await postgres.stop?.()
process.exit(0)
