import { sql } from 'kysely'
import { expect } from 'vitest'
import { reviewsOn } from '../../../money/payouts/support/reviews.ts'
import { submittedHead } from '../../../support/code-host.ts'
import { lapse } from '../../../support/deadlines.ts'
import type { TestMarket } from '../../../support/market.ts'
import { createRows } from '../../../support/rows.ts'
import type { ActiveProject, SubmittedBounty, TestAgent } from '../../../support/scenarios.ts'
import { afterPush, setRows } from '../../../support/stored.ts'
import { someAddress } from '../../../support/values.ts'
import { webhooksOn } from '../../../support/webhooks.ts'

/** A request that a task offers. */
export interface Step {
  action: string
  method: string
  path: string
  body: Record<string, unknown> | null
  missing: string[]
}

export interface Task {
  id: string
  action: string
  project_id: string | null
  bounty_id: string | null
  revision: number | null
  submission_id: string | null
  webhook_id: string | null
  due_at: string | null
  consequence: string
  request: Step
  choices: Step[]
}

/** An agent with a task, and what only the agent knows. */
export interface Scene {
  agent: TestAgent
  /** What the task is about; left out where the agent has one task of the kind. */
  about?: string
  known?: Record<string, unknown>
}

/** Reads the tasks of agents on a market and does them. */
export function tasksOn(market: TestMarket) {
  const read = (query = '', key?: string) => market.api('GET', `/api/agents/me/tasks${query}`, { key })
  async function tasksOf({ key }: { key: string }): Promise<Task[]> {
    const { status, body } = await read('?limit=100', key)
    expect([status, body.has_more]).toEqual([200, false])
    return body.tasks
  }
  /** The task of the agent: the one about this, where it has more. */
  const taskOf = async ({ agent, about }: Scene, action: string) => {
    const found = (await tasksOf(agent)).filter(({ id }) => id.startsWith(`${action}:${about ?? ''}`))
    expect(found).toHaveLength(1)
    return found[0] as Task
  }
  /** Sends a step as it stands, with what is missing in it. */
  const follow = (
    { key }: { key: string },
    { method, path, body, missing }: Step,
    known: Record<string, unknown> = {},
  ) => {
    const added = Object.fromEntries(missing.map((name) => [name, known[name]]))
    return market.api(method, path, { key, ...(body && { body: { ...body, ...added } }) })
  }
  return { read, tasksOf, taskOf, follow }
}

/** Agents with a task each, on one project. */
export function taskScenes(market: TestMarket, project: ActiveProject, receiver: { url: string }) {
  const { db } = market
  const rows = createRows(db)
  const hooks = webhooksOn(market)
  const { endings } = reviewsOn(market)
  const setPull = ({ pr_url }: { pr_url: string }, columns: string) =>
    sql`update pull_requests set ${sql.raw(columns)} where url = ${pr_url}`.execute(db)
  const setReview = ({ submissionId }: SubmittedBounty, columns: string) =>
    sql`update submissions set ${sql.raw(columns)} where id = ${submissionId}`.execute(db)
  const noExtension = ({ id }: { id: string }) =>
    sql`update bounties set extensions_left = 0 where id = ${id}`.execute(db)

  async function claimed() {
    const bounty = await market.claimedBounty({ project })
    return { bounty, agent: bounty.claimant, known: { pr_url: await market.work(bounty) } }
  }
  async function claimedAndMerged(): Promise<Scene> {
    const { bounty, agent, known } = await claimed()
    await merged(bounty, agent, known.pr_url)
    return { agent }
  }
  const merged = ({ id: bounty_id }: { id: string }, { id: agent_id }: TestAgent, pr_url: string) =>
    db
      .insertInto('seen_pulls')
      .values({ bounty_id, agent_id, number: Number(pr_url.split('/').at(-1)), merged_at: new Date() })
      .execute()
  /** Work was seen before the claimant pushed again. */
  const seen = () =>
    but(claimed(), ({ id }) =>
      sql`update bounties set proof_due_at = null, look_at = null, seen_sha = ${'d'.repeat(40)} where id = ${id}`.execute(
        db,
      ),
    )
  async function returned() {
    const bounty = await market.bountyInReview({ project })
    await endings.changes_requested(bounty)
    await afterPush(db, bounty)
    return { bounty, agent: bounty.claimant, known: { pr_url: await market.work(bounty) } }
  }
  /** The founder wants changes, and merges what the contributor has pushed since. */
  async function returnedAndMerged(): Promise<Scene> {
    const { bounty, agent } = await returned()
    await merged(bounty, agent, bounty.pr_url)
    return { agent }
  }
  const but = async <Made extends Scene & { bounty: { id: string } }>(
    made: Promise<Made>,
    change: (bounty: Made['bounty']) => Promise<unknown>,
  ) => {
    const scene = await made
    await change(scene.bounty)
    return scene
  }
  async function broken(columns: string): Promise<Scene> {
    const bounty = await market.bountyInReview({ project })
    await setPull(bounty, columns)
    return { agent: bounty.claimant }
  }
  async function overdue(): Promise<Scene> {
    const bounty = await market.bountyInReview({ project })
    await setReview(bounty, "review_due_at = now() - interval '1 second'")
    return { agent: bounty.claimant }
  }
  async function reviewing() {
    const bounty = await market.bountyInReview({ project })
    const known = {
      expected_head_sha: await submittedHead(db, bounty.submissionId),
      review_notes: 'Tests, please.',
    }
    return { bounty, agent: bounty.founder, about: bounty.submissionId, known }
  }
  const comment = ({ id }: { id: string }, { key }: TestAgent, text: string) =>
    market.act({ id }, 'comments', { key }, { text })
  async function asked() {
    const bounty = await market.openBounty({ project })
    await comment(bounty, await market.register(), 'Why?')
    return { bounty, agent: bounty.founder, about: bounty.id, known: { text: 'Because.' } }
  }
  async function answered() {
    const bounty = await market.claimedBounty({ project })
    await comment(bounty, bounty.founder, 'Because.')
    return { bounty, agent: bounty.claimant, known: { text: 'I see.' } }
  }
  async function paid() {
    const bounty = await market.doneBounty({ project })
    const known = { expected_head_sha: await submittedHead(db, bounty.submissionId) }
    return { bounty, agent: bounty.founder, about: bounty.id, known }
  }
  /** A submission with a payout in this status, as rows alone. */
  async function payout(status: 'failed' | 'running' | 'needs_operator', head_sha: string | null = null) {
    const agent = await market.register()
    const project_id = await rows.project({ founder_id: agent.id })
    const bounty_id = await rows.bountyAt('in_review', { project_id })
    const submission_id = await rows.submission({
      bounty_id,
      head_sha,
      status: status === 'failed' ? 'pending' : 'approving',
    })
    await rows.payout({ submission_id, status, chain_id: 1 })
    return { agent }
  }
  async function activation(status: 'running' | 'needs_operator' | 'failed'): Promise<Scene> {
    const agent = await market.register()
    const project_id = await rows.project({ founder_id: agent.id })
    const error_code = status === 'failed' ? 'deployment_failed' : null
    await db
      .insertInto('activations')
      .values({ project_id, status, error_code, founder_wallet: '0x' })
      .execute()
    return { agent }
  }
  async function walletless(): Promise<Scene> {
    const agent = await market.registerWithoutWallet()
    await market.claimedBounty({ project, claimant: agent })
    return { agent, known: { wallet_address: someAddress } }
  }
  async function mistyped(): Promise<Scene> {
    const wallet_address = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    const known = { wallet_address: wallet_address.toLowerCase() }
    return { agent: await market.register({ wallet_address }), known }
  }
  async function walletlessFounder(): Promise<Scene> {
    const agent = await market.registerWithoutWallet()
    await rows.project({ founder_id: agent.id })
    return { agent, known: { wallet_address: someAddress } }
  }
  async function webhook(columns: string): Promise<Scene> {
    const agent = await market.register()
    const { webhook } = await hooks.create(agent, receiver.url)
    await sql`update webhooks set ${sql.raw(columns)} where id = ${webhook.id}`.execute(db)
    return { agent }
  }
  return {
    claimed,
    seen,
    returned,
    reviewing,
    broken,
    overdue,
    paid,
    payout,
    activation,
    walletless,
    asked,
    answered,
    comment,
    walletlessFounder,
    mistyped,
    webhook,
    setPull,
    setReview,
    proposed: async (): Promise<Scene> => ({ agent: (await market.proposedProject()).founder }),
    own: async (): Promise<Scene> => {
      const { id, founder } = await market.proposedProject()
      await setRows(db, 'projects', { id }, { wanted_repository: 'ada/rocket' })
      return { agent: founder }
    },
    lost: async (): Promise<Scene> => {
      const { id, founder } = await market.activeProject()
      await setRows(db, 'projects', { id }, { repository_lost_at: new Date() })
      return { agent: founder }
    },
    claimedForGood: () => but(seen(), noExtension),
    claimedAndMerged,
    returnedAndMerged,
    claimLapsed: () => but(claimed(), (bounty) => lapse(db, bounty)),
    returnedForGood: () => but(returned(), noExtension),
    returnedLapsed: () => but(returned(), (bounty) => lapse(db, bounty)),
    returnedAndClosed: () => but(returned(), (bounty) => setPull(bounty, "state = 'closed'")),
    blocked: () =>
      but(reviewing(), (bounty) => setReview(bounty, "acceptance_blocked = 'insufficient_funds'")),
    silent: () =>
      but(reviewing(), (bounty) =>
        setReview(bounty, `accepts_at = now() + interval '1 day', accepts_sha = '${'c'.repeat(40)}'`),
      ),
    paidButChanged: (columns: string) => but(paid(), (bounty) => setPull(bounty, columns)),
  }
}
