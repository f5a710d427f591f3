import { Agent, request } from 'node:http'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import { relaysOn } from '../../money/relays/support/relays.ts'
import type { ApiResponse } from '../../support/api.ts'
import { submittedHead } from '../../support/code-host.ts'
import { createRecipient } from '../../support/hpke.ts'
import type { TestMarket } from '../../support/market.ts'
import type { ActiveProject, TestAgent } from '../../support/scenarios.ts'
import { startReceiver, webhooksOn } from '../../support/webhooks.ts'
import { createBounties, onClaims, reviewing } from './bounties.ts'
import { type FuzzRequest, placeholders } from './requests.ts'

/** What matters of an answer. */
export interface FuzzAnswer {
  status: number
  code: string | undefined
}

/** Everything that exists so far, as the answers told it. */
export interface World {
  /** Sends a generated request and remembers what its answer tells. */
  send(generated: FuzzRequest): Promise<FuzzAnswer>
  close(): Promise<void>
}

interface Exchanged {
  status: number
  body: ApiResponse['body']
  etag: string | undefined
}

/** Withdrawals that requests read. */
const mostWithdrawals = 12
/** Bounties of each project at the beginning. */
const bountiesAtFirst = 4
/** Projects beside those of the beginning. */
const mostProjects = 3
const ofFounders = new Set([
  'projects.submissions',
  'projects.approvalStatus',
  'projects.allowance',
  'projects.setAllowance',
  'projects.setMaintainer',
  'bounties.create',
])
const bodyless = new Set(['GET', 'HEAD'])

/** Agents, projects and pull requests to begin with; hostile requests add to them. */
export async function createWorld(market: TestMarket): Promise<World> {
  const agents = await Promise.all(Array.from({ length: 6 }, () => market.register()))
  // For the one operation that only these can use, and each only once.
  const walletless = await Promise.all(Array.from({ length: 12 }, () => market.registerWithoutWallet()))
  const projects: ActiveProject[] = []
  for (const founder of agents.slice(0, 3))
    projects.push(await market.activeProject({ founder, token_supply: 1_000_000_000 }))
  const relays = relaysOn(market)
  for (const project of projects)
    for (const agent of agents) await relays.give(project, agent.wallet_address as string, 1000)
  for (const { id, founder } of projects) {
    const body = { amount: '200000000' }
    await market.api('POST', `/api/projects/${id}/allowance`, { key: founder.key, body })
  }
  const pulls: string[] = []
  /** Repository of a bounty's project, by bounty. */
  const repositories = new Map<string, string>()
  for (const project of projects)
    for (let count = 0; count < 5; count++) pulls.push(await market.pullRequest(project))
  const bounties = createBounties(
    await Promise.all(
      projects
        .flatMap((project) => Array.from({ length: bountiesAtFirst }, () => project))
        .map(async (project) => {
          const { id } = await market.openBounty({ project })
          repositories.set(id, project.repo_url)
          return { id, founder: project.founder }
        }),
    ),
  )
  const recipient = createRecipient()
  const receiver = await startReceiver()
  const hooks = webhooksOn(market)
  /** Webhooks with their agents, and an event that each of the first ones got. */
  const webhooks = new Map<string, { agent: TestAgent | undefined; event?: string }>()
  for (const agent of agents) {
    const { webhook } = await hooks.create(agent, receiver.url)
    webhooks.set(webhook.id, { agent, event: await hooks.event(agent) })
  }
  const paid = await Promise.all(projects.map((project) => market.doneBounty({ project })))
  const known: Record<(typeof placeholders)[number], string[]> = {
    '@agent': agents.map(({ id }) => id),
    '@project': projects.map(({ id }) => id),
    '@bounty': bounties.ids(),
    '@submission': paid.map(({ submissionId }) => submissionId),
    '@pull': pulls,
    '@activity': ['act_nothing'],
    '@comment': ['cmt_nothing'],
    '@withdrawal': [],
    '@etag': ['"nothing"'],
    '@recipient': [recipient.spki, recipient.point],
    '@webhook': [...webhooks.keys()],
    '@receiver': [receiver.url],
    '@cursor': ['0'],
    '@head': await Promise.all(paid.map(({ submissionId }) => submittedHead(market.db, submissionId))),
  }
  const founders = new Map(projects.map(({ id, founder }) => [id, founder]))
  const owners = new Map<string, TestAgent | undefined>()
  /** The newest comment of each bounty. */
  const comments = new Map<string, string>()
  /** The submissions that wait for their review, by bounty. */
  const waiting = new Map<string, { id: string; by: TestAgent | undefined }>()
  for (const agent of agents)
    owners.set((await relays.withdraw(agent, projects[0]!)).body.withdrawal.id, agent)
  known['@withdrawal'] = [...owners.keys()]
  const contributors = new Map(paid.map(({ submissionId, claimant }) => [submissionId, claimant]))
  /** Who may do what an operation on a withdrawal, a submission or a project does. */
  function actorOf(operationId: string, which: number, names: typeof known): TestAgent | undefined {
    if (operationId === 'bounties.merge')
      return paid.find(({ id }) => id === pick(names['@bounty'], which))?.founder
    if (operationId === 'submissions.retract') {
      const id = pick(names['@submission'], which)
      return [...waiting.values()].find((submission) => submission.id === id)?.by
    }
    if (operationId.startsWith('webhooks.')) return webhooks.get(pick(known['@webhook'], which))?.agent
    if (operationId === 'withdrawals.get') return owners.get(pick(known['@withdrawal'], which))
    if (operationId === 'submissions.get') return contributors.get(pick(known['@submission'], which))
    return ofFounders.has(operationId) ? founders.get(pick(known['@project'], which)) : undefined
  }
  const replaced = [agents[0]!.key]
  const connections = new Agent({ keepAlive: true, maxSockets: 16 })

  const lasting = projects.length
  /** The projects of the beginning stay: most of the others are never activated. */
  function keepProject(id: string): void {
    const list = known['@project']
    if (list.includes(id)) return
    list.push(id)
    if (list.length > lasting + mostProjects) list.splice(lasting, 1)
  }

  const pendingIds = () => [...waiting.values()].map(({ id }) => id)

  function learn(operationId: string, { body, etag }: Exchanged, by: TestAgent | undefined): void {
    if (etag) known['@etag'] = [etag]
    const { project, bounty, bounty_id, agent, activity, withdrawal, submission, webhook, cursor, comment } =
      body ?? {}
    if (operationId === 'bounties.submit') waiting.set(submission.bounty_id, { id: submission.id, by })
    // The end of a review names its bounty.
    else waiting.delete(bounty_id)
    known['@submission'] = [...paid.map(({ submissionId }) => submissionId), ...pendingIds()]
    if (withdrawal && operationId === 'withdrawals.create') {
      owners.set(withdrawal.id, by)
      known['@withdrawal'] = [...owners.keys()].slice(-mostWithdrawals)
    }
    if (comment && comment.role !== 'founder') comments.set(comment.bounty_id, comment.id)
    if (webhook && operationId === 'webhooks.create') webhooks.set(webhook.id, { agent: by })
    if (webhook && operationId === 'webhooks.delete') webhooks.delete(webhook.id)
    known['@webhook'] = [...webhooks.keys()]
    if (typeof cursor === 'string') known['@cursor'] = ['0', cursor]
    if (project?.id) keepProject(project.id)
    if (operationId === 'projects.create' && project?.id && by) founders.set(project.id, by)
    bounties.learn(operationId, bounty?.id ?? bounty_id, by)
    known['@bounty'] = bounties.ids()
    if (activity?.[0]) known['@activity'] = activity.map(({ id }: { id: string }) => id)
    if (!agent?.api_key) return
    const rotated = by?.id === agent.id ? by : undefined
    if (!rotated) return
    if (rotated.key !== agent.api_key) replaced.push(rotated.key)
    rotated.key = agent.api_key
  }

  /** What placeholders stand for. Half of the requests about claims and reviews are about some that there are. */
  function namesFor({ operationId, which }: FuzzRequest): typeof known {
    const { event } = webhooks.get(pick(known['@webhook'], which)) ?? {}
    if (operationId === 'webhooks.redeliver' && event) return { ...known, '@activity': [event] }
    if (which % 2 === 0) return known
    if (operationId === 'comments.hide' && comments.size > 0) {
      const bounty = pick([...comments.keys()], which)
      return { ...known, '@bounty': [bounty], '@comment': [comments.get(bounty) ?? ''] }
    }
    // A bounty that is done and its commit stand at one place of both lists.
    if (operationId === 'bounties.merge') return { ...known, '@bounty': paid.map(({ id }) => id) }
    const claimed = bounties.claimed().filter((id) => !waiting.has(id))
    if (onClaims.has(operationId) && claimed.length > 0) {
      const bounty = pick(claimed, which)
      const repository = repositories.get(bounty) ?? ''
      return { ...known, '@bounty': [bounty], '@pull': pulls.filter((url) => url.startsWith(repository)) }
    }
    if (waiting.size === 0) return known
    if (operationId === 'submissions.retract') return { ...known, '@submission': pendingIds() }
    if (!reviewing.has(operationId)) return known
    const reviewed = pick([...waiting.keys()], which)
    return { ...known, '@bounty': [reviewed], '@submission': [waiting.get(reviewed)?.id ?? ''] }
  }

  /** A claim can only be extended once there is work for it. */
  async function openWork(bountyId: string, by: TestAgent | undefined): Promise<void> {
    const repo_url = repositories.get(bountyId)
    if (repo_url) await market.pullRequest({ repo_url }, branchFor(String(by?.id), bountyId))
  }

  return {
    async send(generated) {
      const names = namesFor(generated)
      const able =
        generated.operationId === 'agents.generateWallet' && generated.which % 2 ? walletless : agents
      const rightful =
        generated.operationId === 'projects.activate'
          ? founders.get(pick(known['@project'], generated.which))
          : (bounties.actor(generated.operationId, pick(names['@bounty'], generated.which)) ??
            actorOf(generated.operationId, generated.which, names))
      const by = (generated.agent % 2 && rightful) || able[generated.agent % able.length]
      const fill = (text: string) =>
        placeholders.reduce(
          (filled, name) => filled.replaceAll(name, () => pick(names[name], generated.which)),
          text,
        )
      const { body } = generated
      const answer = await exchange(market.baseUrl, connections, {
        ...generated,
        path: fill(generated.path),
        headers: {
          ...mapValues(generated.headers, fill),
          ...authorization(generated, by, pick(replaced, generated.which)),
        },
        // A body on a read means nothing in HTTP, and the service ignores it.
        body: bodyless.has(generated.method) ? undefined : typeof body === 'string' ? fill(body) : body,
      })
      // HEAD at the path of a claim reads it, and has no body.
      if (generated.operationId === 'bounties.claim' && answer.body?.bounty)
        await openWork(answer.body.bounty.id, by)
      if (answer.status < 300)
        learn(generated.operationId, answer, generated.credential === 'right' ? by : undefined)
      return { status: answer.status, code: answer.body?.error?.code }
    },
    async close() {
      connections.destroy()
      await receiver.close()
    },
  }
}

const pick = (list: string[], which: number) => list[which % list.length] ?? ''

const mapValues = (record: Record<string, string>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

function authorization(
  { credential, which }: FuzzRequest,
  by: TestAgent | undefined,
  ended: string,
): Record<string, string> {
  if (credential === 'none') return {}
  const key = by?.key ?? ''
  const wrong = [
    `Bearer ${key.slice(0, -1)}`,
    key,
    'Bearer',
    `Basic ${key}`,
    `Bearer ${'x'.repeat(5000)}`,
    'ü',
  ]
  return {
    authorization:
      credential === 'right'
        ? `Bearer ${key}`
        : credential === 'replaced'
          ? `Bearer ${ended}`
          : pick(wrong, which),
  }
}

async function exchange(
  baseUrl: string,
  agent: Agent,
  { method, path, headers, body }: Pick<FuzzRequest, 'method' | 'path' | 'headers' | 'body'>,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const sent = request(baseUrl + path, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode: status = 0, headers } = response
        const body = text === '' ? undefined : JSON.parse(text)
        resolve({ status, body, etag: headers.etag })
      })
    })
    sent.on('error', reject)
    // node's client leaves the length of a body out for methods that should have none.
    if (body !== undefined) sent.setHeader('content-length', Buffer.byteLength(body))
    sent.end(body)
  })
}
