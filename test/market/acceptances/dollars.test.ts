import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { coinOn, dollars } from '../../support/locked-dollars.ts'
import { startOwnChain } from '../../support/own-chain.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createAcceptanceScene } from './support.ts'

/* Work with dollars that the founder has merged. The chain is of its own, because its time jumps to the end of a lock. */
const scene = await createAcceptanceScene(await startOwnChain())
const { market, db, submissionOf, isDone, inReview, merge, hear, start, lookAgain, payments, eventsOf } =
  scene
const coin = coinOn(market)
const project = await coin.project()
const amount = dollars('20')
const lockSeconds = 180 * 86_400

async function inReviewWithDollars() {
  const bounty = await inReview({ project })
  await coin.lock(project, bounty.id, amount)
  return { ...bounty, wallet: bounty.claimant.wallet_address as string }
}

test('a merge pays the dollars with the tokens, once', async () => {
  const bounty = await inReviewWithDollars()
  start()
  merge(bounty)
  await hear(bounty)
  await until(() => isDone(bounty))
  expect(await coin.balance(bounty.wallet)).toBe(dollars('19'))
  expect(await scene.held(bounty)).toBe(95n * 10n ** 18n)
  expect((await payments(bounty)).paid).toBe(1)
  expect((await coin.slot(bounty.id)).state).toBe(3)
})

test('blocked by dollars_lock_over at the end of the lock, until the dollars went back and the tokens alone are paid', async () => {
  const bounty = await inReviewWithDollars()
  await market.chain.node.increaseTime({ seconds: lockSeconds - 60 })
  await market.chain.node.mine({ blocks: 1 })
  start()
  merge(bounty)
  await hear(bounty)
  await until(async () => (await submissionOf(bounty)).acceptance_blocked === 'dollars_lock_over')
  expect(await eventsOf(bounty, 'acceptance.blocked')).toEqual([
    { agent_id: bounty.claimant.id, data: { reason: 'dollars_lock_over' } },
  ])
  // The service goes by the clock of its database.
  await db
    .updateTable('deposits')
    .set({ locked_until: sql<Date>`now()` })
    .where('bounty_id', '=', bounty.id)
    .execute()
  await until(async () => (await readRow(db, 'deposits', { bounty_id: bounty.id })).status === 'refunded')
  await lookAgain(bounty)
  await until(() => isDone(bounty))
  expect(await coin.balance(bounty.wallet)).toBe(0n)
  expect(await scene.held(bounty)).toBe(95n * 10n ** 18n)
  expect(await submissionOf(bounty)).toMatchObject({ accepted_by: 'merge', acceptance_blocked: null })
})
