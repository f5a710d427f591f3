import type { Database } from '../../server/db/client.ts'
import type { EmbeddedGitHub } from '../../server/embedded/github/github.ts'
import { branchFor } from '../../server/lifecycle/pull-requests/attribution.ts'
import type { Api, ApiResponse } from './api.ts'
import type { TestChain } from './chain.ts'
import { until } from './until.ts'

/** A registered agent. */
export interface TestAgent {
  id: string
  /** API key. */
  key: string
  wallet_address: string | null
}

/** A project and the agent that founded it. */
export interface TestProject {
  id: string
  founder: TestAgent
}

/** An active project. */
export interface ActiveProject extends TestProject {
  repo_url: string
  token_address: string
  curve_address: string
}

/** A bounty, its project and founder. */
export interface TestBounty {
  id: string
  project: ActiveProject
  founder: TestAgent
}

export interface ClaimedBounty extends TestBounty {
  claimant: TestAgent
}

export interface SubmittedBounty extends ClaimedBounty {
  submissionId: string
  pr_url: string
}

/** Brings a market into the state in which a test begins, through the API. A refused step throws. */
export interface Scenarios {
  register(fields?: { name?: string; wallet_address?: string }): Promise<TestAgent>
  /** An agent that registered while the service could not create wallets. */
  registerWithoutWallet(): Promise<TestAgent>
  proposedProject(founder?: TestAgent): Promise<TestProject>
  activeProject(options?: {
    founder?: TestAgent
    token_supply?: number
    name?: string
    token_symbol?: string
  }): Promise<ActiveProject>
  /** Of the market's shared project, unless it names one. */
  openBounty(options?: {
    project?: ActiveProject
    reward_amount?: number
    title?: string
    description?: string
  }): Promise<TestBounty>
  claimedBounty(options?: {
    project?: ActiveProject
    claimant?: TestAgent
    reward_amount?: number
  }): Promise<ClaimedBounty>
  bountyInReview(options?: {
    project?: ActiveProject
    claimant?: TestAgent
    reward_amount?: number
  }): Promise<SubmittedBounty>
  /** Approved and paid. */
  doneBounty(options?: { project?: ActiveProject; claimant?: TestAgent }): Promise<SubmittedBounty>
  /** Asks for a step of the bounty, such as `claim`, whatever becomes of that. */
  act(
    bounty: { id: string },
    step: string,
    agent: { key?: string | undefined },
    body?: unknown,
  ): Promise<ApiResponse>
  /** Opens a pull request whose branch names the bounty and its claimant, with a commit of its own. */
  work(bounty: ClaimedBounty): Promise<string>
  /** Opens a pull request on the project's repository, from a branch whose name begins so, and returns its address. */
  pullRequest(project: { repo_url: string }, branch?: string): Promise<string>
}

export function createScenarios(market: {
  api: Api
  db: Database
  chain: TestChain
  github: EmbeddedGitHub
  token: string
}): Scenarios {
  const { api, db, github, token } = market
  let pullRequests = 0
  let shared: Promise<ActiveProject> | undefined

  async function succeed(method: string, path: string, request: Parameters<Api>[2]) {
    const { status, body } = await api(method, path, request)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** The project of every bounty that names none: an activation takes longer than all else of such a test. */
  function sharedProject(): Promise<ActiveProject> {
    shared ??= scenarios.activeProject()
    return shared
  }

  const scenarios: Scenarios = {
    async register(fields = {}) {
      const { agent } = await succeed('POST', '/api/agents/register', { body: { name: 'Ada', ...fields } })
      return { id: agent.id, key: agent.api_key, wallet_address: agent.wallet_address }
    },
    async registerWithoutWallet() {
      const agent = await scenarios.register()
      await db.deleteFrom('managed_wallets').where('agent_id', '=', agent.id).execute()
      await db
        .updateTable('agents')
        .set({ wallet_address: null, wallet_type: null })
        .where('id', '=', agent.id)
        .execute()
      return { ...agent, wallet_address: null }
    },
    async proposedProject(given) {
      const founder = given ?? (await scenarios.register({ name: 'Founder' }))
      const body = {
        name: 'Calculator',
        description: 'Counts.',
        token_symbol: 'CALC',
        token_supply: 1_000_000,
      }
      const { project } = await succeed('POST', '/api/projects', { key: founder.key, body })
      return { id: project.id, founder }
    },
    async activeProject({ founder: given, ...fields } = {}) {
      const founder = given ?? (await scenarios.register({ name: 'Founder' }))
      const body = {
        name: 'Calculator',
        description: 'Counts.',
        token_symbol: 'CALC',
        token_supply: 1_000_000,
        ...fields,
      }
      const { project } = await succeed('POST', '/api/projects', { key: founder.key, body })
      const active = await succeed('POST', `/api/projects/${project.id}/activate`, { key: founder.key })
      const { repo_url, token_address, curve_address } = active.project
      return { id: project.id, founder, repo_url, token_address, curve_address }
    },
    async openBounty({ project: given, ...fields } = {}) {
      const project = given ?? (await sharedProject())
      const { bounty } = await succeed('POST', `/api/projects/${project.id}/bounties`, {
        key: project.founder.key,
        body: { title: 'Add division', description: 'Without remainder.', reward_amount: 100, ...fields },
      })
      return { id: bounty.id, project, founder: project.founder }
    },
    async claimedBounty({ claimant: given, ...options } = {}) {
      const [bounty, claimant] = await Promise.all([
        scenarios.openBounty(options),
        given ?? scenarios.register({ name: 'Contributor' }),
      ])
      await succeed('POST', `/api/bounties/${bounty.id}/claim`, { key: claimant.key })
      return { ...bounty, claimant }
    },
    async bountyInReview(options) {
      const bounty = await scenarios.claimedBounty(options)
      const { submission } = await succeed('POST', `/api/bounties/${bounty.id}/submit`, {
        key: bounty.claimant.key,
        body: { pr_url: await scenarios.pullRequest(bounty.project) },
      })
      return { ...bounty, submissionId: submission.id, pr_url: submission.pr_url }
    },
    async doneBounty(options) {
      const bounty = await scenarios.bountyInReview(options)
      const path = `/api/bounties/${bounty.id}`
      const approved = await api('POST', `${path}/approve`, { key: bounty.founder.key, body: {} })
      const { code } = approved.body.error ?? {}
      if (approved.status >= 300 && code !== 'payout_unconfirmed')
        throw new Error(`approve: ${approved.status} ${JSON.stringify(approved.body)}`)
      // Some markets wait for a payout for a shorter time than a busy machine takes.
      await until(async () => (await api('GET', path)).body.bounty.status === 'done')
      return bounty
    },
    act: ({ id }, step, { key }, body) => api('POST', `/api/bounties/${id}/${step}`, { key, body }),
    work: ({ id, claimant, project }) => scenarios.pullRequest(project, branchFor(claimant.id, id)),
    async pullRequest({ repo_url }, branch = 'work') {
      const repository = new URL(repo_url).pathname
      const response = await fetch(`${github.apiUrl}/repos${repository}/pulls`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'Work', head: `${branch}-${++pullRequests}`, base: 'main' }),
      })
      const { html_url } = (await response.json()) as { html_url?: string }
      if (!html_url) throw new Error(`no pull request: ${response.status}`)
      return html_url
    },
  }
  return scenarios
}
