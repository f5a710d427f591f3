import { encodeFunctionData, type Hex } from 'viem'
import { platformWallet } from '../../../../server/money/chain/generated/contracts.ts'
import type { ApiResponse } from '../../../support/api.ts'
import type { TestMarket } from '../../../support/market.ts'
import type { SubmittedBounty, TestAgent, TestBounty } from '../../../support/scenarios.ts'

/** The steps of a review on one market, and what is stored about them. */
export function reviewsOn(market: TestMarket) {
  const { api, db, chain } = market

  /** The founder approves; without a key each call is a request of its own. */
  const approve = ({ id, founder }: SubmittedBounty, idempotencyKey?: string): Promise<ApiResponse> =>
    api('POST', `/api/bounties/${id}/approve`, {
      key: founder.key,
      body: { review_notes: 'Good.' },
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    })

  const reject = (bounty: SubmittedBounty): Promise<ApiResponse> =>
    market.act(bounty, 'reject', bounty.founder, { review_notes: 'No.' })

  /** Everything that ends a review without a payment, by the status that its submission gets. */
  const endings = {
    rejected: reject,
    changes_requested: (bounty: SubmittedBounty): Promise<ApiResponse> =>
      market.act(bounty, 'request-changes', bounty.founder, { review_notes: 'No.' }),
    retracted: ({ submissionId, claimant }: SubmittedBounty): Promise<ApiResponse> =>
      api('POST', `/api/submissions/${submissionId}/retract`, { key: claimant.key }),
  }

  const cancel = (bounty: TestBounty): Promise<ApiResponse> => market.act(bounty, 'cancel', bounty.founder)

  /** Status of a bounty and of its submissions, as the API shows them; the submissions in alphabetical order. */
  async function stateOf({ id }: { id: string }): Promise<{ bounty: string; submissions: string[] }> {
    const { bounty } = (await api('GET', `/api/bounties/${id}`)).body
    const submissions = bounty.submissions.map(({ status }: { status: string }) => status)
    return { bounty: bounty.status, submissions: submissions.sort() }
  }

  const isDone = async (bounty: { id: string }) => (await stateOf(bounty)).bounty === 'done'

  /** Another contributor claims the rejected bounty and submits work. */
  async function anotherSubmits(bounty: SubmittedBounty): Promise<TestAgent> {
    const agent = await market.register()
    const claimed = await market.act(bounty, 'claim', agent)
    const body = { pr_url: await market.pullRequest(bounty.project) }
    const submitted = await market.act(bounty, 'submit', agent, body)
    if (claimed.status !== 200 || submitted.status !== 201)
      throw new Error(`claim ${claimed.status}, submit ${submitted.status}`)
    return agent
  }

  /** The claimant submits another pull request to a bounty that it holds. */
  async function submitsAgain(bounty: SubmittedBounty): Promise<SubmittedBounty> {
    const body = { pr_url: await market.pullRequest(bounty.project) }
    const submitted = await market.act(bounty, 'submit', bounty.claimant, body)
    if (submitted.status !== 201) throw new Error(`submit ${submitted.status}`)
    return { ...bounty, ...body, submissionId: submitted.body.submission.id }
  }

  /** The transactions of a payout, oldest first. */
  const transactionsOf = ({ submissionId }: SubmittedBounty) =>
    db.selectFrom('transactions').where('entity_id', '=', submissionId).selectAll().orderBy('id').execute()

  /** Pays a bounty of 100 tokens under `payoutId` with a key of its own, as a lost process did. */
  async function payByOtherKey({ project, founder, claimant }: SubmittedBounty, payoutId: Hex) {
    const { abi } = platformWallet
    const { owner, platformWallet: to } = chain
    const other = await chain.fundedAccount()
    const setOperator = encodeFunctionData({ abi, functionName: 'setOperator', args: [other.address, true] })
    await chain.send(owner, { to, data: setOperator })
    const [token, from, receiver] = [
      project.token_address,
      founder.wallet_address,
      claimant.wallet_address,
    ] as [Hex, Hex, Hex]
    const unit = 10n ** 18n
    const args = [payoutId, token, from, receiver, 95n * unit, 5n * unit] as const
    await chain.send(other, { to, data: encodeFunctionData({ abi, functionName: 'pay', args }) })
  }

  return {
    approve,
    reject,
    endings,
    cancel,
    stateOf,
    isDone,
    anotherSubmits,
    submitsAgain,
    transactionsOf,
    payByOtherKey,
  }
}
