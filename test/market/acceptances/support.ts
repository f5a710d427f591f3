import { sql } from 'kysely'
import pino from 'pino'
import { expect, onTestFinished } from 'vitest'
import { startPullRequests } from '../../../server/code/pull-requests/loop.ts'
import type { PublicType } from '../../../server/events/kinds.ts'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import { startAcceptances } from '../../../server/market/acceptances/loop.ts'
import { submittedHead } from '../../support/code-host.ts'
import type { TestMarket } from '../../support/market.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import type { ActiveProject, ClaimedBounty, SubmittedBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'

export type EventType = PublicType

/** Accounts at the code host: the contributor's and the founder's. */
export const author = { id: 7, login: 'ada' }
export const maintainer = { id: 8, login: 'grace' }

export const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
/** The branch of a pull request that names its bounty and its contributor. */
export const naming = ({ id, claimant }: ClaimedBounty) => branchFor(claimant.id, id)

/** A market with a project, whose founder merges at the code host what waits for its review. */
export async function createAcceptanceScene(options: { rpcUrl?: string } = {}) {
  const scene = await createPullRequestMarket(options)
  const { market, host, served, report } = scene
  const { db } = market
  const project = await market.activeProject()

  const post = (path: string, key: string, body?: unknown, from = served) =>
    from.api('POST', path, { key, ...(body !== undefined && { body }) })
  const reject = ({ id, founder }: SubmittedBounty) =>
    post(`/api/bounties/${id}/reject`, founder.key, { review_notes: 'No.' })
  const retract = ({ submissionId, claimant }: SubmittedBounty) =>
    post(`/api/submissions/${submissionId}/retract`, claimant.key)
  const submissionOf = async ({ submissionId, claimant }: SubmittedBounty) =>
    (await market.api('GET', `/api/submissions/${submissionId}`, { key: claimant.key })).body.submission
  const isDone = async (bounty: SubmittedBounty) => (await submissionOf(bounty)).status === 'approved'
  const held = ({ project, claimant }: SubmittedBounty) =>
    market.chain.balanceOf(project.token_address, claimant.wallet_address as string)

  /** A bounty in review, whose pull request names its contributor unless another branch is given. */
  async function inReview({
    branch = naming,
    members = {},
    ...options
  }: {
    project?: ActiveProject
    branch?: typeof naming
    reward_amount?: number
    members?: Record<string, unknown>
  } = {}): Promise<SubmittedBounty> {
    const bounty = await market.claimedBounty({ project, ...options })
    const pr_url = await market.pullRequest(bounty.project, branch(bounty))
    report(pr_url, { user: author, ...members })
    const submitted = await post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
    expect(submitted.status).toBe(201)
    return { ...bounty, pr_url, submissionId: submitted.body.submission.id }
  }

  /** The code host reports a merge from now on. */
  function merge({ pr_url }: SubmittedBounty, members: Record<string, unknown> = {}): void {
    const merged_at = new Date().toISOString()
    const merged = { merged: true, merged_at, state: 'closed', merge_commit_sha: 'c'.repeat(40) }
    report(pr_url, { ...merged, merged_by: maintainer, ...members })
  }

  /** The service hears of what is at the code host. */
  async function hear({ pr_url }: SubmittedBounty): Promise<void> {
    await sql`update pull_requests set due_at = now() where url = ${pr_url}`.execute(db)
  }

  /** Starts the loops of a process until the test ends, or what is returned is called: that waits for what they are at. */
  function start(from: TestMarket = served) {
    const { payouts, repositories } = from.services
    if (!repositories) throw new Error('no code host')
    const options = { db, repositories, log: pino({ enabled: false }), timing: { pullRequestsMs: 10 } }
    const onBegun = () => market.services.wake()
    const loops = [
      startPullRequests({ ...options, hasWebhook: false }),
      startAcceptances({ ...options, payouts, onBegun, reviewDays: 7, ruleHourSeconds: 1 }),
    ]
    const stop = () => Promise.all(loops.map((loop) => loop.stop()))
    onTestFinished(async () => {
      await stop()
    })
    return stop
  }

  /** Its merge was looked at, and the next look is put off. */
  const wasLookedAt = ({ pr_url }: SubmittedBounty) =>
    until(async () => {
      const { rows } = await sql`select from pull_requests where url = ${pr_url} and merged
        and (acceptance_due_at > now() + interval '30 seconds') is true`.execute(db)
      return rows.length === 1
    })
  const lookAgain = ({ pr_url }: SubmittedBounty) =>
    sql`update pull_requests set acceptance_due_at = now() where url = ${pr_url}`.execute(db)

  /** Everything that was paid for the bounty. */
  async function payments({ id }: SubmittedBounty) {
    const rows = await db
      .selectFrom('payouts')
      .innerJoin('submissions', 'submissions.id', 'submission_id')
      .where('bounty_id', '=', id)
      .select(['payouts.head_sha', 'payout_id'])
      .execute()
    const ids = new Set(rows.map(({ payout_id }) => payout_id))
    const paid = (await market.chain.payments()).filter(({ payoutId }) => ids.has(payoutId))
    return { commits: rows.map(({ head_sha }) => head_sha), paid: paid.length }
  }

  /** The loops find its merge and pay it, once. */
  async function expectPaid(bounty: SubmittedBounty): Promise<void> {
    start()
    await hear(bounty)
    await until(() => isDone(bounty))
    expect((await payments(bounty)).paid).toBe(1)
  }

  const eventsOf = async ({ submissionId }: SubmittedBounty, type: EventType) =>
    (
      await db
        .selectFrom('activity')
        .where('submission_id', '=', submissionId)
        .where('type', '=', type)
        .select(['agent_id', 'data'])
        .execute()
    ).map(({ agent_id, data }) => ({ agent_id, data }))

  /** The head of a submission comes to the default branch by a push: the pull request stays as it is. */
  async function push({ submissionId }: SubmittedBounty): Promise<void> {
    host.contained.add(await submittedHead(db, submissionId))
  }

  return {
    ...scene,
    db,
    project,
    post,
    reject,
    retract,
    submissionOf,
    isDone,
    held,
    inReview,
    merge,
    hear,
    start,
    wasLookedAt,
    lookAgain,
    payments,
    expectPaid,
    eventsOf,
    push,
  }
}
