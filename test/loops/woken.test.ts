import { type RawBuilder, sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { recordActivity } from '../../server/events/record.ts'
import { startActivation } from '../../server/money/activation/store.ts'
import { enqueueTransaction } from '../../server/money/transactions/send/queue.ts'
import { beatHeart, lapse } from '../support/deadlines.ts'
import { createTestMarket } from '../support/market.ts'
import { createRows } from '../support/rows.ts'
import { until } from '../support/until.ts'

/** No loop finds its work but by the look: longer than any test runs. */
const restMs = 2 ** 30
const pauses = { idleMs: 20, sweepMs: 20, eventsMs: 20, webhooksMs: 20, pullRequestsMs: 20, deadlinesMs: 20 }
const lines: string[] = []
const { db } = await createTestMarket({
  databaseLoops: true,
  log: pino({}, { write: (line: string) => void lines.push(line) }),
  settings: { LANE_LEASE_SECONDS: '600' },
  timing: { ...pauses, restMs },
})
const rows = createRows(db)
const now = new Date(0)
const wallet = `0x${'ab'.repeat(20)}` as const

/** Asks the database, or the log. */
const holds = (taken: RawBuilder<unknown> | (() => boolean)) => async () => {
  if (typeof taken === 'function') return taken()
  return (await sql<{ it: boolean }>`select (${taken}) is true as it`.execute(db)).rows[0]?.it === true
}

/** Stores work as another process would. Resolves with what says that it was taken up. */
const works = {
  async 'a pull request to be read'() {
    const url = await rows.pullRequest({ due_at: now })
    return sql`select due_at > now() or due_at is null from pull_requests where url = ${url}`
  },
  async 'a claim whose work is sought'() {
    const id = await rows.bountyAt('claimed')
    await db.updateTable('bounties').set({ look_at: now }).where('id', '=', id).execute()
    return sql`select looked_at is not null from bounties where id = ${id}`
  },
  async 'a merge to be paid'() {
    const url = await rows.pullRequest({ merged: true, acceptance_due_at: now })
    return sql`select acceptance_due_at is null from pull_requests where url = ${url}`
  },
  async 'a merge of a claim'() {
    const bounty_id = await rows.bountyAt('open')
    const agent_id = await rows.agent()
    const seen = { bounty_id, agent_id, number: 1, merged_at: now, look_at: now }
    await db.insertInto('seen_pulls').values(seen).execute()
    return sql`select look_at is null from seen_pulls where bounty_id = ${bounty_id}`
  },
  async 'a delivery to a webhook'() {
    const id = await rows.webhook({ due_at: now })
    return sql`select due_at > now() from webhooks where id = ${id}`
  },
  async 'an activation'() {
    const projectId = await rows.project()
    await startActivation(db, { projectId, founderWallet: wallet })
    return sql`select fence > 0 from activations where project_id = ${projectId}`
  },
  async 'a claim that has lapsed'() {
    await beatHeart(db)
    const id = await rows.bountyAt('claimed')
    await lapse(db, { id })
    return sql`select status = 'open' from bounties where id = ${id}`
  },
  async 'a review that is overdue'() {
    await beatHeart(db)
    const bounty_id = await rows.bountyAt('in_review')
    const id = await rows.submission({ bounty_id, review_due_at: now })
    return sql`select overdue_at is not null from submissions where id = ${id}`
  },
  async 'a transaction to be sent'() {
    const entityId = await rows.payout()
    const call = { to: wallet, data: '0x' } as const
    const id = await enqueueTransaction(db, { chainId: 31_337, purpose: 'payout', entityId, ...call })
    return sql`select status <> 'queued' or error is not null from transactions where id = ${id}`
  },
  async 'a relay to be settled'() {
    const id = await rows.relay({ chain_id: 31_337, valid_before: 1 })
    return () => lines.some((line) => line.includes(id))
  },
  async 'an entry of the log'() {
    const agent_id = await rows.agent()
    await recordActivity(db, { type: 'agent.registered', agent_id })
    return sql`select position is not null from activity where agent_id = ${agent_id}`
  },
}

test.each(Object.entries(works))('%s that another process has stored is taken up', async (_, store) => {
  const taken = await store()
  await expect(until(holds(taken))).resolves.toBeUndefined()
})
