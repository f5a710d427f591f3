import { sql } from 'kysely'
import { expect } from 'vitest'
import { until } from '../../support/until.ts'
import { market } from './scenes.ts'

/** Condition: no relay of an earlier case is still on its way, for the engine would write its end at any moment. */
async function relaysHaveEnded(): Promise<boolean> {
  const running = market.db.selectFrom('relays').select('id').where('status', '=', 'running')
  return (await running.execute()).length === 0
}

/** What of each table writes leave behind; a scene of its own may add the rest. */
const kept: Record<string, string> = {
  ...Object.fromEntries(
    [
      'activity',
      'agents',
      'bounties',
      'bounty_revisions',
      'comments',
      'ended_claims',
      'payments',
      'project_maintainers',
      'projects',
      'seen_heads',
      'submissions',
      'trades',
    ].map((table) => [table, 't']),
  ),
  activations: '(project_id, status)',
  payouts: 'submission_id',
  pull_requests: '(url, merged)',
  relays: 'id',
  webhook_deliveries: '(webhook_id, event_id)',
  webhooks: '(id, url, sealed_secrets, disabled_because)',
}

/** Rows by table, in one statement, because it is read before and after each refusal. */
const readTraces = Object.entries(kept)
  .map(
    ([table, columns]) =>
      `select '${table}' as table, array_agg(${columns}::text order by ${columns}::text) as rows from ${table} t`,
  )
  .join(' union all ')

/** Everything that writes leave behind. */
async function traces(): Promise<unknown> {
  await until(relaysHaveEnded)
  return (await sql.raw(readTraces).execute(market.db)).rows
}

/** Calls `refused`, after which everything is as it was. */
export async function expectNoTrace(refused: () => Promise<void>): Promise<void> {
  const before = await traces()
  await refused()
  expect(await traces()).toEqual(before)
}
