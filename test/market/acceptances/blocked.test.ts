import { expect, test } from 'vitest'
import { submittedHead } from '../../support/code-host.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createAcceptanceScene, secondsAgo } from './support.ts'

/* What the founder has merged cannot be paid yet. */
const scene = await createAcceptanceScene()
const {
  market,
  db,
  post,
  reject,
  submissionOf,
  isDone,
  inReview,
  merge,
  hear,
  start,
  wasLookedAt,
  lookAgain,
  payments,
  eventsOf,
} = scene
const unit = 10n ** 18n

test('without funds both hear of it once, and it is paid when the funds come', async () => {
  const account = await market.chain.fundedAccount()
  const founder = await market.register({ wallet_address: account.address })
  const own = await market.activeProject({ founder, token_supply: 1000 })
  const allow = (amount: bigint) => market.chain.approve(account, own.token_address, amount * unit)
  await market.chain.buy(account, own.curve_address, 50n * unit)
  await allow(150n)
  const bounty = await inReview({ project: own, reward_amount: 120 })
  await allow(100n)
  const stop = start()
  merge(bounty)
  await hear(bounty)
  await until(async () => (await submissionOf(bounty)).acceptance_blocked === 'insufficient_funds')
  await lookAgain(bounty)
  await wasLookedAt(bounty)
  await stop()
  expect(await eventsOf(bounty, 'acceptance.blocked')).toEqual([
    { agent_id: bounty.claimant.id, data: { reason: 'insufficient_funds' } },
  ])
  const { body } = await market.api('GET', '/api/agents/me/tasks', { key: bounty.founder.key })
  expect(body.tasks).toMatchObject([
    {
      action: 'review',
      submission_id: bounty.submissionId,
      consequence: expect.stringContaining('It is accepted'),
    },
  ])
  await allow(120n)
  start()
  await lookAgain(bounty)
  await until(() => isDone(bounty))
  expect(await submissionOf(bounty)).toMatchObject({ accepted_by: 'merge', acceptance_blocked: null })
})

test('payouts that the operator has switched off block it, too', async () => {
  const settings = { PAYOUTS_ENABLED: 'false' }
  const bounty = await inReview()
  start(await createTestMarket({ sharing: scene.sharing, engines: false, settings }))
  merge(bounty)
  await hear(bounty)
  await until(async () => (await submissionOf(bounty)).acceptance_blocked === 'payouts_disabled')
  const reason = 'payouts_disabled'
  expect(await eventsOf(bounty, 'acceptance.blocked')).toMatchObject([{ data: { reason } }])
})

test('over the limit for payouts without buyers it waits, and is paid later', async () => {
  const settings = { RATE_LIMITS: 'on', STANDING_MIN_ETH: '0.0002', UNBACKED_PAYOUTS_PER_DAY: '0' }
  const bounty = await inReview()
  const stop = start(await createTestMarket({ sharing: scene.sharing, engines: false, settings }))
  merge(bounty)
  await hear(bounty)
  const reason = 'payout_limit_reached'
  await until(async () => (await submissionOf(bounty)).acceptance_blocked === reason)
  await stop()
  expectError(await reject(bounty), 'pull_request_merged')
  expect(await eventsOf(bounty, 'acceptance.blocked')).toMatchObject([{ data: { reason } }])
  start()
  await lookAgain(bounty)
  await until(() => isDone(bounty))
  expect((await payments(bounty)).paid).toBe(1)
})

test('429 payout_limit_reached for an approval while merged work waits for what is left of the limit; what was merged first is paid first', async () => {
  const settings = { RATE_LIMITS: 'on', STANDING_MIN_ETH: '0.0002', UNBACKED_PAYOUTS_PER_DAY: '1' }
  const limited = await createTestMarket({ sharing: scene.sharing, engines: false, settings })
  const project = await market.activeProject()
  const first = await inReview({ project })
  const merged = await inReview({ project })
  const later = await inReview({ project })
  const approve = ({ id, founder }: typeof first) =>
    post(`/api/bounties/${id}/approve`, founder.key, { expected_head_sha: submittedHead }, limited)
  expect((await approve(first)).status).toBe(200)
  start(limited)
  merge(merged)
  await hear(merged)
  await until(async () => (await submissionOf(merged)).acceptance_blocked === 'payout_limit_reached')
  merge(later)
  await hear(later)
  await until(async () => (await submissionOf(later)).acceptance_blocked === 'payout_limit_reached')
  await setRows(db, 'payouts', { submission_id: first.submissionId }, { begun_at: secondsAgo(86_401) })
  expectError(await approve(later), 'payout_limit_reached')
  await lookAgain(later)
  await lookAgain(merged)
  await until(() => isDone(merged))
  expect(await isDone(later)).toBe(false)
})
