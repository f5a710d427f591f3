import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listOperations } from '../../server/http/adapter/operations.ts'
import { type Condition, nothingPays } from '../../server/lifecycle/conditions.ts'
import { type Edge, edges } from '../../server/lifecycle/edges.ts'
import { agentRoles } from '../../server/lifecycle/roles.ts'
import type { Situation } from '../../server/lifecycle/situation.ts'
import { bountyStatuses, endedUnpaid, submissionStatuses } from '../../server/lifecycle/statuses.ts'
import { router } from '../../server/router.ts'
import { openTestDatabase } from '../support/database.ts'

const { db } = await openTestDatabase({ size: 1 })

const all = Object.entries<Edge>(edges)

/** What the trigger of a table allows, as `from>to`. */
async function allowed(table: string): Promise<string[]> {
  const { rows } = await sql<{
    definition: string
  }>`select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgname = ${`${table}_transition`}`.execute(db)
  return [...(rows[0]?.definition ?? '').matchAll(/'(\w+>\w+)'/g)].map(([, edge]) => edge ?? '').toSorted()
}

/** Different statuses that edges connect, as `from>to`. */
const connected = (pairs: (readonly [string | null, string])[]) =>
  [
    ...new Set(pairs.filter(([from, to]) => from !== null && from !== to).map((pair) => pair.join('>'))),
  ].toSorted()

describe('the database allows exactly the edges of the table', () => {
  test('of bounties', async () => {
    const pairs = all.flatMap(([, { bounty }]) => bounty[0].map((from) => [from, bounty[1]] as const))
    expect(await allowed('bounties')).toEqual(connected(pairs))
  })

  test('of submissions', async () => {
    const pairs = all.flatMap(([, { submission }]) => (submission ? [submission] : []))
    expect(await allowed('submissions')).toEqual(connected(pairs))
  })

  test('between the statuses that it knows', async () => {
    const { rows } = await sql<{
      definition: string
    }>`select pg_get_constraintdef(oid) as definition from pg_constraint
      where conname in ('bounties_status_check', 'submissions_status_check') order by conname`.execute(db)
    const known = rows.map(({ definition }) =>
      [...definition.matchAll(/'(\w+)'/g)].map(([, status]) => status),
    )
    expect(known).toEqual([[...bountyStatuses], [...submissionStatuses]])
  })
})

test('the database has every constraint and trigger that keeps a condition', async () => {
  const kept = all.flatMap(([, edge]) => edge.if ?? []).flatMap(({ keptBy }: Condition) => keptBy ?? [])
  const { rows } = await sql<{ name: string }>`select tgname as name from pg_trigger
    union select relname from pg_class where relkind = 'i'`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(kept))
})

test('every end of a submission without a payment passes the gate, and no other edge does', () => {
  const gated = all.filter(([, edge]) => edge.if?.includes(nothingPays)).map(([name]) => name)
  const unpaid = all
    .filter(([, { submission }]) => submission && endedUnpaid(submission[1]))
    .map(([name]) => name)
  expect(gated).toEqual(unpaid)
})

test('the gate opens only for the submission of which it was proved that nothing pays it', async () => {
  const confirmed: string[] = []
  const proved = (submissionId: string) => ({
    review: { id: 'sub_in_review' },
    unpaid: { submissionId, confirm: async () => void confirmed.push(submissionId) },
  })
  const isOpen = (situation: object) => nothingPays.holds(situation as Situation, db)
  expect(await isOpen(proved('sub_before_it'))).toBe(false)
  expect(confirmed).toEqual([])
  expect(await isOpen(proved('sub_in_review'))).toBe(true)
  expect(confirmed).toEqual(['sub_in_review'])
  expect(await isOpen({ review: { id: 'sub_in_review' } })).toBe(false)
})

test('an edge that ends the claim of a bounty opens it or passes it on', () => {
  const ending = all.filter(([, { ends }]) => ends).map(([name]) => name)
  expect(ending).toEqual(['claim', 'release', 'lapse', 'lapseUnproved', 'dismiss'])
})

const operations = listOperations(router)
test.each(all.filter(([name]) => operations.some(({ id }) => id.endsWith(`.${name}`))))(
  'the operation of %s declares every error of its edge',
  (name, edge) => {
    const found = operations.find(({ id }) => id === `bounties.${name}` || id === `submissions.${name}`)
    const role = agentRoles[edge.by as keyof typeof agentRoles].code
    const codes = [role, ...(edge.otherwise?.codes ?? []), ...(edge.if?.map(({ code }) => code) ?? [])]
    expect(found?.meta.errors).toEqual(expect.arrayContaining(codes))
  },
)
