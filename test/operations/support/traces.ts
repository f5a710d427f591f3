import { expect } from 'vitest'
import { until } from '../../support/until.ts'
import { market } from './scenes.ts'

/** Condition: no relay of an earlier case is still on its way, for the engine would write its end at any moment. */
async function relaysHaveEnded(): Promise<boolean> {
  const running = market.db.selectFrom('relays').select('id').where('status', '=', 'running')
  return (await running.execute()).length === 0
}

/** Everything that writes leave behind, but for what a scene of its own adds. */
async function traces(): Promise<unknown> {
  const { db } = market
  await until(relaysHaveEnded)
  return Promise.all([
    db.selectFrom('agents').selectAll().orderBy('id').execute(),
    db.selectFrom('projects').selectAll().orderBy('id').execute(),
    db.selectFrom('bounties').selectAll().orderBy('id').execute(),
    db.selectFrom('bounty_revisions').selectAll().orderBy('bounty_id').orderBy('revision').execute(),
    db.selectFrom('submissions').selectAll().orderBy('id').execute(),
    db.selectFrom('comments').selectAll().orderBy('id').execute(),
    db.selectFrom('ended_claims').selectAll().orderBy('bounty_id').execute(),
    db.selectFrom('activity').selectAll().orderBy('seq').execute(),
    db.selectFrom('payouts').select('submission_id').orderBy('submission_id').execute(),
    db.selectFrom('relays').select(['id']).orderBy('id').execute(),
    db.selectFrom('activations').select(['project_id', 'status']).orderBy('project_id').execute(),
    db.selectFrom('payments').selectAll().orderBy('tx_hash').execute(),
    db
      .selectFrom('webhooks')
      .select(['id', 'url', 'sealed_secrets', 'disabled_because'])
      .orderBy('id')
      .execute(),
    db.selectFrom('webhook_deliveries').select(['webhook_id', 'event_id']).orderBy('event_id').execute(),
    db.selectFrom('project_maintainers').selectAll().orderBy('project_id').execute(),
    db.selectFrom('pull_requests').select(['url', 'merged']).orderBy('url').execute(),
    db.selectFrom('trades').selectAll().orderBy('tx_hash').execute(),
  ])
}

/** Calls `refused`, after which everything is as it was. */
export async function expectNoTrace(refused: () => Promise<void>): Promise<void> {
  const before = await traces()
  await refused()
  expect(await traces()).toEqual(before)
}
