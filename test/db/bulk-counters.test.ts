import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../server/db/client.ts'
import { openTestDatabase } from '../support/database.ts'
import { createRows } from '../support/rows.ts'
import { expectCountersToHold } from './support/counters.ts'

// Statements about many rows at once, which the service never sends: imports, repairs, seeds.

const { db } = await openTestDatabase({ size: 8 })
const rows = createRows(db)
let imported = 0

/** Bounties of the projects in turn, in the order given. */
function insertBounties(projects: string[], count: number, reward = 10): RawBuilder<unknown> {
  const first = imported
  imported += count
  return sql`
    insert into bounties (id, project_id, title, description, reward_amount, difficulty)
    select 'bnt_imported_' || ${first}::int + n, (${sql.val(projects)}::text[])[1 + n % ${projects.length}::int], 'T', 'D',
        ${reward}, 'easy'
      from generate_series(0, ${count}::int - 1) n order by n`
}

/** Everything a statement can do to many bounties. The claimant differs by bounty: one active claim a project. */
const moves = {
  claim: `update bounties set status = 'claimed', claimed_by = 'agent_of_' || id, claimed_at = now(),
    claim_expires_at = now() + interval '1 day', extensions_left = 2 where status = 'open'`,
  submit: `update bounties set status = 'in_review', claim_expires_at = null, extensions_left = null where status = 'claimed'`,
  reject: `update bounties set status = 'open', claimed_by = null, claimed_at = null where status = 'in_review'`,
  pay: `update bounties set status = 'done' where status = 'in_review'`,
  raise: `update bounties set reward_amount = reward_amount + 3`,
  regroup: `update bounties set project_id = (select min(id) from projects)`,
  nothing: `update bounties set difficulty = 'hard'`,
  delete: `delete from bounties where status in ('open', 'done')`,
}

/** An agent for each bounty, so that all of them can be claimed at once. */
async function addClaimants(trx: Database): Promise<void> {
  await sql`
    insert into agents (id, name, key_id, key_hash)
    select 'agent_of_' || id, 'Ada', 'agent_of_' || id, '$argon2id$x' from bounties
    on conflict do nothing`.execute(trx)
}

const statements = fc.array(
  fc.record({
    move: fc.constantFrom('insert', ...(Object.keys(moves) as (keyof typeof moves)[])),
    count: fc.integer({ min: 0, max: 5 }),
    reward: fc.integer({ min: 1, max: 10 ** 9 }),
  }),
  { minLength: 10, maxLength: 40 },
)

test('statistics and commitments equal the tables after random statements of many rows', async () => {
  const projects = await Promise.all([rows.project(), rows.project(), rows.project()])
  await fc.assert(
    fc.asyncProperty(statements, async (sequence) => {
      await db.transaction().execute(async (trx) => {
        for (const { move, count, reward } of sequence) {
          if (move === 'insert') await insertBounties(projects, count, reward).execute(trx)
          else await sql.raw(moves[move]).execute(trx)
          await addClaimants(trx)
        }
      })
      await expectCountersToHold(db)
    }),
    { numRuns: 15 },
  )
})

test('a statement writes each counter once, however many rows it has', async () => {
  const projects = await Promise.all([rows.project(), rows.project()])
  const insertion = insertBounties(projects, 100)
  expect(await counterWrites(insertion)).toEqual({ projects: 2, statistics: 1 })
  const deletion = sql`delete from bounties where project_id in (${sql.join(projects)})`
  expect(await counterWrites(deletion)).toEqual({ projects: 2, statistics: 1 })
})

test('a step that changes no commitment leaves the project alone', async () => {
  const id = await rows.bounty()
  const agent = await rows.agent()
  const claim = sql`update bounties set status = 'claimed', claimed_by = ${agent}, claimed_at = now(),
    claim_expires_at = now(), extensions_left = 2 where id = ${id}`
  expect(await counterWrites(claim)).toEqual({ projects: 0, statistics: 1 })
  const other = sql`update bounties set difficulty = 'hard' where id = ${id}`
  expect(await counterWrites(other)).toEqual({ projects: 0, statistics: 0 })
})

/** How many rows of the tables with counters a statement writes. */
function counterWrites(statement: RawBuilder<unknown>): Promise<Record<string, number>> {
  return db.transaction().execute(async (trx) => {
    // The connection's earlier transactions may be in these figures still.
    const before = await updatedRows(trx)
    await statement.execute(trx)
    const after = await updatedRows(trx)
    return Object.fromEntries([...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]))
  })
}

async function updatedRows(trx: Database): Promise<Map<string, number>> {
  const { rows: tables } = await sql<{ relname: string; n_tup_upd: string }>`
    select relname, n_tup_upd from pg_stat_xact_user_tables where relname in ('projects', 'statistics')`.execute(
    trx,
  )
  return new Map(tables.map(({ relname, n_tup_upd }) => [relname, Number(n_tup_upd)]))
}

test('statements on the same projects in different orders wait for each other and never deadlock', async () => {
  const projects = await Promise.all(Array.from({ length: 12 }, () => rows.project()))
  const backwards = projects.toReversed()
  await Promise.all(
    Array.from({ length: 60 }, (_, turn) => insertBounties(turn % 2 ? projects : backwards, 24).execute(db)),
  )
  await expectCountersToHold(db)
})
