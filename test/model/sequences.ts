import fc from 'fast-check'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPullRequests } from '../../server/code/pull-requests/loop.ts'
import type { Worker } from '../../server/loops/rounds.ts'
import { startAcceptances } from '../../server/market/acceptances/loop.ts'
import { tokenUnit } from '../../server/money/chain/units.ts'
import { splitReward } from '../../server/money/payouts/platform-fee.ts'
import { expectError } from '../support/errors.ts'
import { createTestMarket, type TestMarket } from '../support/market.ts'
import { createPullRequestMarket } from '../support/pull-requests.ts'
import { until } from '../support/until.ts'
import { command, opening, supply } from './commands.ts'
import type { Model } from './model.ts'
import type { Real } from './steps.ts'

let market: TestMarket
let loops: Worker[] = []
let scene: Awaited<ReturnType<typeof createPullRequestMarket>>

const agentCount = 4

async function setup(): Promise<{ model: Model; real: Real }> {
  const agents = await Promise.all(Array.from({ length: agentCount }, () => market.register()))
  const wallets = agents.map((agent) => agent.wallet_address as string)
  return {
    model: { wallets, projects: [], bounties: [], paid: new Map() },
    real: { market, agents, merge, projects: [], bounties: [], submissions: [], pulls: [] },
  }
}

/** The service hears of a merge, and decides about the payout. */
async function merge(prUrl: string): Promise<void> {
  const merged = { merged: true, state: 'closed', merge_commit_sha: 'c'.repeat(40), merged_at: new Date() }
  scene.report(prUrl, { ...merged, merged_by: { id: 8, login: 'eve' } })
  await sql`update pull_requests set due_at = now() where url = ${prUrl}`.execute(market.db)
  await until(async () => {
    const { status, acceptance_blocked } = await market.db
      .selectFrom('submissions')
      .where('pr_url', '=', prUrl)
      .select(['status', 'acceptance_blocked'])
      .executeTakeFirstOrThrow()
    return status === 'approved' || acceptance_blocked !== null
  })
}

/** Declares the test with so many sequences of 60 to 100 steps. */
export function testSequences(numRuns: number): void {
  beforeAll(async () => {
    // All sequences share it.
    scene = await createPullRequestMarket()
    await scene.market.stopEngines()
    const settings = { ACTIVATION_GAS_ETH_PER_DAY: '1000' }
    const served = await createTestMarket({ settings, sharing: scene.sharing })
    market = { ...served, pullRequest: scene.market.pullRequest }
    // A heart that stands still lets no claim lapse, and no loop beats it here.
    await sql`update heartbeat set beaten_at = now() + interval '1 day', nothing_lapses_before = '-infinity'`.execute(
      served.db,
    )
    const { payouts, repositories, wake } = served.services
    if (!repositories) throw new Error('no code host')
    const options = {
      db: served.db,
      repositories,
      log: pino({ enabled: false }),
      timing: { pullRequestsMs: 20 },
    }
    loops = [
      startPullRequests({ ...options, hasWebhook: false }),
      startAcceptances({ ...options, payouts, onBegun: wake, reviewDays: 7, ruleHourSeconds: 1 }),
    ]
  })
  afterAll(() => Promise.all(loops.map((loop) => loop.stop())))

  test(
    'random steps of several agents have the responses and the effects that the model predicts',
    async () => {
      const steps = fc.array(command, { minLength: 60, maxLength: 100, size: 'max' })
      const property = fc.asyncProperty(steps, async (sequence) => {
        const { model, real } = await setup()
        await fc.asyncModelRun(() => ({ model, real }), [...opening, ...sequence])
        await expectAsModeled(model, real)
      })
      await fc.assert(property, { numRuns })
    },
    60_000 + numRuns * 60_000,
  )
}

/** Everything the service and the chain tell of the run, against the model. */
async function expectAsModeled(model: Model, real: Real): Promise<void> {
  await Promise.all([
    ...model.projects.map((_, index) => expectProject(model, real, index)),
    ...model.bounties.map((_, index) => expectBounty(model, real, index)),
    ...real.agents.map((_, index) => expectAgent(model, real, index)),
  ])
}

async function expectProject(model: Model, { agents, projects }: Real, index: number): Promise<void> {
  const project = model.projects[index]!
  const { id, token_address } = projects[index]!
  const { body } = await market.api('GET', `/api/projects/${id}`)
  expect(body.project).toMatchObject({ status: project.status, founder_id: agents[project.founder]?.id })
  if (project.status === 'proposed') return
  const funding = await market.api('GET', `/api/projects/${id}/approval-status`, {
    key: agents[project.founder]?.key,
  })
  const committed = model.bounties
    .filter((bounty) => bounty.project === index && !['done', 'cancelled'].includes(bounty.status))
    .reduce((sum, bounty) => sum + bounty.reward, 0)
  expect(funding.body).toEqual({
    balance: String(project.funds),
    allowance: String(project.funds),
    committed: String(committed),
    available: String(project.funds - committed),
  })
  let received = 0n
  for (const [to, rewards] of model.paid) {
    const [of, wallet] = to.split(' ') as [string, string]
    if (Number(of) !== index) continue
    const { net } = splitReward(rewards, 500)
    expect(await market.chain.balanceOf(token_address, wallet)).toBe(net)
    received += net
  }
  const spent = BigInt(supply / 10 - project.funds) * tokenUnit
  expect(await market.chain.balanceOf(token_address, market.chain.treasury)).toBe(spent - received)
}

async function expectBounty(model: Model, { bounties, submissions }: Real, index: number): Promise<void> {
  const modeled = model.bounties[index]!
  const answer = await market.api('GET', `/api/bounties/${bounties[index]}`)
  if (modeled.status === 'cancelled') return expectError(answer, 'bounty_cancelled')
  expect(await newestRevision(`${bounties[index]}`)).toBe(modeled.revision)
  const { bounty } = answer.body
  expect(bounty).toMatchObject({ status: modeled.status, reward_amount: modeled.reward })
  const statusOf = (each: { id: string; status: string }) => [each.id, each.status]
  const expected = modeled.submissions.map(({ status }, nth) => [submissions[index]?.[nth], status])
  expect(bounty.submissions.map(statusOf).toReversed()).toEqual(expected)
}

async function newestRevision(id: string): Promise<number> {
  const { revision } = await market.db
    .selectFrom('bounties')
    .where('id', '=', id)
    .select('revision')
    .executeTakeFirstOrThrow()
  return revision
}

async function expectAgent(model: Model, { agents, bounties, projects }: Real, index: number): Promise<void> {
  const { body } = await market.api('GET', '/api/agents/me', { key: agents[index]?.key })
  expect(body.agent.wallet_address).toBe(model.wallets[index])
  const claims = model.bounties.flatMap(({ claimant, status, project }, bounty) =>
    claimant === index && status !== 'done'
      ? [{ bounty_id: bounties[bounty], project_id: projects[project]?.id, status }]
      : [],
  )
  const told = body.agent.active_claims.map(({ bounty_id, project_id, status }: Record<string, string>) => ({
    bounty_id,
    project_id,
    status,
  }))
  expect(told).toHaveLength(claims.length)
  expect(told).toEqual(expect.arrayContaining(claims))
}
