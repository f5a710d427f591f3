import { type Address, encodeFunctionData, parseAbiItem } from 'viem'
import { describe, expect, test } from 'vitest'
import { platformWallet } from '../../../server/money/chain/generated/contracts.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

const unit = 10n ** 18n
const market = await createTestMarket({ proxied: true })

const approve = ({ id }: { id: string }, key?: string, body: object = {}) =>
  market.act({ id }, 'approve', { key }, body)

/** Payments of the platform wallet in a token. */
const payments = ({ token_address }: { token_address: string }) =>
  market.chain.node.getLogs({
    address: market.chain.platformWallet,
    event: parseAbiItem(
      'event Paid(bytes32 indexed payoutId, address indexed token, address indexed from, address to, uint256 amount, uint256 fee)',
    ),
    args: { token: token_address as Address },
    fromBlock: 0n,
  })

const payoutsOf = ({ submissionId }: { submissionId: string }) =>
  market.db.selectFrom('payouts').where('submission_id', '=', submissionId).select('status').execute()

async function submissionStatus({ id }: { id: string }) {
  const { body } = await market.api('GET', `/api/bounties/${id}`)
  return { bounty: body.bounty.status, submission: body.bounty.submissions.at(-1).status }
}

describe('200', () => {
  test('200 moves the reward less 5 % to the contributor and 5 % to the treasury, and counts and records it', async () => {
    const bounty = await market.bountyInReview({ project: await market.activeProject(), reward_amount: 777 })
    const { token_address } = bounty.project
    const stats = async () => (await market.api('GET', '/api/dashboard/stats')).body.stats
    const before = await stats()
    const { status, body } = await approve(bounty, bounty.founder.key, { review_notes: 'Well done.' })
    expect(status).toBe(200)
    expect(body).toEqual({
      bounty_id: bounty.id,
      status: 'done',
      submission_id: bounty.submissionId,
      contributor_tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      platform_fee_tx_hash: body.contributor_tx_hash,
    })
    const fee = (777n * unit * 500n) / 10_000n
    const contributor = bounty.claimant.wallet_address as string
    expect(await market.chain.balanceOf(token_address, contributor)).toBe(777n * unit - fee)
    expect(await market.chain.balanceOf(token_address, market.chain.treasury)).toBe(fee)
    const receipt = await market.chain.node.getTransactionReceipt({ hash: body.contributor_tx_hash })
    expect(receipt.status).toBe('success')
    expect(await submissionStatus(bounty)).toEqual({ bounty: 'done', submission: 'approved' })
    const after = await stats()
    expect(BigInt(after.rewards_paid) - BigInt(before.rewards_paid)).toBe(777n)
    expect(after.bounties.done).toBe(before.bounties.done + 1)
    const funding = await market.api('GET', `/api/projects/${bounty.project.id}/approval-status`, {
      key: bounty.founder.key,
    })
    expect(funding.body).toMatchObject({ balance: '99223', committed: '0', available: '99223' })
    const feed = await market.api('GET', `/api/activity?limit=2&project_id=${bounty.project.id}`)
    const about = { agent_id: bounty.claimant.id, bounty_id: bounty.id, submission_id: bounty.submissionId }
    const { contributor_tx_hash, platform_fee_tx_hash } = body
    const data = {
      contributor_tx_hash,
      platform_fee_tx_hash,
      net: '738.15',
      fee: '38.85',
    }
    expect(feed.body.activity).toMatchObject([
      { type: 'payout.confirmed', submission_id: bounty.submissionId },
      { type: 'submission.approved', ...about, data },
    ])
  })

  test('200 pays the wallet the contributor has when the founder approves', async () => {
    const bounty = await market.bountyInReview({ reward_amount: 100 })
    const { address } = await market.chain.fundedAccount()
    await market.api('PATCH', '/api/agents/me/wallet', {
      key: bounty.claimant.key,
      body: { wallet_address: address },
    })
    expect((await approve(bounty, bounty.founder.key)).status).toBe(200)
    expect(await market.chain.balanceOf(bounty.project.token_address, address)).toBe(95n * unit)
  })

  test("200 from the founder's wallet of the activation, whatever wallet the founder has now", async () => {
    const bounty = await market.bountyInReview({ project: await market.activeProject(), reward_amount: 100 })
    const { address } = await market.chain.fundedAccount()
    await market.api('PATCH', '/api/agents/me/wallet', {
      key: bounty.founder.key,
      body: { wallet_address: address },
    })
    expect((await approve(bounty, bounty.founder.key)).status).toBe(200)
    const funding = bounty.founder.wallet_address as string
    expect(await market.chain.balanceOf(bounty.project.token_address, funding)).toBe(99_900n * unit)
  })
})

describe('400', () => {
  test('400 no_pending_submission', async () => {
    const bounty = await market.bountyInReview()
    await market.db
      .updateTable('submissions')
      .set({ status: 'rejected', reviewed_at: new Date() })
      .where('id', '=', bounty.submissionId)
      .execute()
    expectError(await approve(bounty, bounty.founder.key), 'no_pending_submission')
  })

  test('400 contributor_wallet_missing, and 200 once there is one', async () => {
    const claimant = await market.registerWithoutWallet()
    const bounty = await market.bountyInReview({ claimant })
    expectError(await approve(bounty, bounty.founder.key), 'contributor_wallet_missing')
    await market.api('POST', '/api/agents/me/generate-wallet', { key: claimant.key })
    expect((await approve(bounty, bounty.founder.key)).status).toBe(200)
  })

  test('400 contributor_wallet_is_founders, in any letter case', async () => {
    const bounty = await market.bountyInReview()
    const wallet_address = `0x${(bounty.founder.wallet_address as string).slice(2).toUpperCase()}`
    await market.api('PATCH', '/api/agents/me/wallet', {
      key: bounty.claimant.key,
      body: { wallet_address },
    })
    expectError(await approve(bounty, bounty.founder.key), 'contributor_wallet_is_founders')
    expect(await submissionStatus(bounty)).toEqual({ bounty: 'in_review', submission: 'pending' })
  })

  test('400 insufficient_funds once the founder has revoked what went beyond the reserve', async () => {
    const account = await market.chain.fundedAccount()
    const founder = await market.register({ wallet_address: account.address })
    const project = await market.activeProject({ founder, token_supply: 1000 })
    await market.chain.buy(account, project.curve_address, 50n * unit)
    await market.chain.approve(account, project.token_address, 150n * unit)
    const bounty = await market.bountyInReview({ project, reward_amount: 120 })
    await market.chain.approve(account, project.token_address, 100n * unit)
    const refused = await approve(bounty, founder.key)
    expectError(refused, 'insufficient_funds')
    // Tokens are not what it lacks.
    expect(refused.body.error.message).not.toContain('buy')
    expect(refused.body.error.message).toContain('{"amount":"120"}')
    expect(await submissionStatus(bounty)).toEqual({ bounty: 'in_review', submission: 'pending' })
    await market.chain.approve(account, project.token_address, 120n * unit)
    expect((await approve(bounty, founder.key)).status).toBe(200)
  })
})

test('502 payout_failed when the chain refuses, the submission pending again, and 200 afterwards', async () => {
  const bounty = await market.bountyInReview({ project: await market.activeProject() })
  const capAt = (cap: bigint) =>
    market.chain.send(market.chain.owner, {
      to: market.chain.platformWallet,
      data: encodeFunctionData({
        abi: platformWallet.abi,
        functionName: 'setDailyCap',
        args: [bounty.project.token_address as Address, cap],
      }),
    })
  await capAt(1n)
  const refused = await approve(bounty, bounty.founder.key)
  expectError(refused, 'payout_failed')
  expect(refused.body.error.message).toContain('Approve again after midnight UTC.')
  expect(await submissionStatus(bounty)).toEqual({ bounty: 'in_review', submission: 'pending' })
  await capAt(0n)
  expect((await approve(bounty, bounty.founder.key)).status).toBe(200)
  expect(await payments(bounty.project)).toHaveLength(1)
  const { id: bounty_id, claimant, submissionId: submission_id } = bounty
  const feed = await market.api('GET', `/api/activity?limit=3&project_id=${bounty.project.id}`)
  expect(feed.body.activity).toMatchObject(
    ['payout.confirmed', 'submission.approved', 'payout.failed'].map((type) => ({
      type,
      bounty_id,
      submission_id,
      agent_id: claimant.id,
    })),
  )
})

test('a receipt without its logs calls the operator, and is settled once the node is honest, paid once', async () => {
  const bounty = await market.bountyInReview({ project: await market.activeProject() })
  market.chainProxy.alter(({ method }, result) =>
    method === 'eth_getTransactionReceipt' && result ? { ...result, logs: [] } : result,
  )
  const approval = approve(bounty, bounty.founder.key)
  await until(async () => (await payoutsOf(bounty))[0]?.status === 'needs_operator')
  expect((await submissionStatus(bounty)).bounty).toBe('in_review')
  market.chainProxy.alter()
  await until(async () => (await submissionStatus(bounty)).bounty === 'done')
  await approval
  expect(await payments(bounty.project)).toHaveLength(1)
})

test('503 chain_unreachable while no node responds, the submission untouched, and 200 afterwards', async () => {
  const bounty = await market.bountyInReview()
  market.chainProxy.disconnect()
  expectError(await approve(bounty, bounty.founder.key), 'chain_unreachable')
  market.chainProxy.restore()
  expect(await submissionStatus(bounty)).toEqual({ bounty: 'in_review', submission: 'pending' })
  expect((await approve(bounty, bounty.founder.key)).status).toBe(200)
})

test('503 payouts_disabled while the contract is paused, with nothing stored', async () => {
  const bounty = await market.bountyInReview()
  await market.chain.pause()
  expectError(await approve(bounty, bounty.founder.key), 'payouts_disabled')
  expect(await payoutsOf(bounty)).toEqual([])
  await market.chain.unpause()
  expect((await approve(bounty, bounty.founder.key)).status).toBe(200)
})

describe('while the loops stand still', () => {
  test('409 approval_in_progress while another approval is served, for approve and for reject', async () => {
    const bounty = await market.bountyInReview()
    await market.stopEngines()
    const first = approve(bounty, bounty.founder.key)
    await until(async () => (await submissionStatus(bounty)).submission === 'approving')
    expectError(await approve(bounty, bounty.founder.key), 'approval_in_progress')
    const reject = { key: bounty.founder.key, body: { review_notes: 'No.' } }
    expectError(await market.api('POST', `/api/bounties/${bounty.id}/reject`, reject), 'approval_in_progress')
    market.startEngines()
    expect((await first).status).toBe(200)
  })

  test('409 idempotency_in_progress for the same Idempotency-Key while the first request waits, then its response', async () => {
    const bounty = await market.bountyInReview()
    const request = { key: bounty.founder.key, headers: { 'idempotency-key': bounty.id } }
    const ask = () => market.api('POST', `/api/bounties/${bounty.id}/approve`, request)
    await market.stopEngines()
    const first = ask()
    await until(async () => (await submissionStatus(bounty)).submission === 'approving')
    expectError(await ask(), 'idempotency_in_progress')
    market.startEngines()
    const { status, body } = await first
    expect(status).toBe(200)
    expect((await ask()).body).toEqual(body)
  })

  /** Runs work while approvals wait for a second; a busy machine needs more for a payout. */
  async function hastily(work: () => Promise<void>): Promise<void> {
    const { config } = market.services
    const usual = config.APPROVE_WAIT_SECONDS
    config.APPROVE_WAIT_SECONDS = 1
    await market.stopEngines()
    await work()
    config.APPROVE_WAIT_SECONDS = usual
    market.startEngines()
  }

  test('502 payout_unconfirmed when time runs out, and approving again joins the same payout', async () => {
    const bounty = await market.bountyInReview({ project: await market.activeProject() })
    await hastily(async () => {
      expectError(await approve(bounty, bounty.founder.key), 'payout_unconfirmed')
      expectError(await approve(bounty, bounty.founder.key), 'payout_unconfirmed')
    })
    expect((await approve(bounty, bounty.founder.key)).status).toBe(200)
    expect(await payments(bounty.project)).toHaveLength(1)
  })

  test('200 for a repeated Idempotency-Key whose first answer was 502 payout_unconfirmed', async () => {
    const bounty = await market.bountyInReview({ project: await market.activeProject() })
    const ask = () =>
      market.api('POST', `/api/bounties/${bounty.id}/approve`, {
        key: bounty.founder.key,
        body: {},
        headers: { 'idempotency-key': 'one-approval' },
      })
    await hastily(async () => expectError(await ask(), 'payout_unconfirmed'))
    await until(async () => (await submissionStatus(bounty)).bounty === 'done')
    const { status, body } = await ask()
    expect(status).toBe(200)
    const [paid] = await payments(bounty.project)
    expect(body.contributor_tx_hash).toBe(paid?.transactionHash)
  })
})

test('503 payouts_disabled with payouts switched off, and everything else works', async () => {
  const bounty = await market.bountyInReview()
  const settings = { PAYOUTS_ENABLED: 'false' }
  const closed = await createTestMarket({ sharing: market, engines: false, settings })
  const request = { key: bounty.founder.key, body: {} }
  expectError(await closed.api('POST', `/api/bounties/${bounty.id}/approve`, request), 'payouts_disabled')
  const { body } = await closed.api('GET', '/api/config/public')
  expect(body.config.payouts_enabled).toBe(false)
})
