import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { giveDollars } from '../../../server/embedded/chain/dollar.ts'
import { relaySettings, relaysOn } from '../../money/relays/support/relays.ts'
import { obliging, submittedHead } from '../../support/code-host.ts'
import { createRecipient } from '../../support/hpke.ts'
import { createTestMarket } from '../../support/market.ts'
import { createRows } from '../../support/rows.ts'
import type { ClaimedBounty, TestAgent } from '../../support/scenarios.ts'
import { setRows } from '../../support/stored.ts'
import { someAddress } from '../../support/values.ts'
import { startReceiver, webhooksOn } from '../../support/webhooks.ts'

/** The market on which every operation is tried. */
export const market = await createTestMarket({ settings: relaySettings, onGitHubRequest: obliging })
const project = await market.activeProject({ token_supply: 1_000_000_000 })
const paid = await market.doneBounty({ project })
const relays = relaysOn(market)
const holder = await relays.holder(project)
const receiver = await startReceiver()
const hooks = webhooksOn(market)

/** Where an operation is tried: its path and body, and those who have to do with it. */
export interface Scene {
  path: string
  body?: unknown
  headers?: Record<string, string>
  founder: TestAgent
  claimant: TestAgent
  /** For whom everything is prepared so that the operation succeeds. */
  right: TestAgent
}

/** Prepares a scene of its own. */
export type Prepare = () => Promise<Scene>

const onBounty = (
  bounty: { id: string; founder: TestAgent; claimant?: TestAgent },
  action: string,
  rest: { claimant?: TestAgent; right: TestAgent; body?: unknown },
): Scene => ({
  path: `/api/bounties/${bounty.id}${action}`,
  founder: bounty.founder,
  claimant: bounty.claimant ?? rest.right,
  ...rest,
})

/** A founder, a claimant and one that is neither, whom operations leave as they are. */
const { founder } = await market.proposedProject()
const { claimant } = await market.claimedBounty({ project })
export const bystander = await market.register()

/** A bounty that its founder has cancelled. */
export const cancelled = await market.openBounty({ project })
await market.api('POST', `/api/bounties/${cancelled.id}/cancel`, { key: project.founder.key })

/** For what an agent reads of its own, by one that has some. */
const own =
  (path: string, right: TestAgent): Prepare =>
  async () => ({ path, founder, claimant, right })

/** For what has no owner. */
const anywhere =
  (path: string, body?: (() => unknown) | undefined): Prepare =>
  async () => ({ path, body: body?.(), founder, claimant, right: await market.registerWithoutWallet() })

/** On a bounty that is made for it, by an agent that has nothing to do with it. */
const byAnyone =
  (
    make: () => Promise<{ id: string; founder: TestAgent; claimant?: TestAgent }>,
    action: string,
    body?: unknown,
  ): Prepare =>
  async () =>
    onBounty(await make(), action, { right: await market.register(), body })

/** On a bounty that is made for it, by its founder or its claimant. */
const byParty =
  (
    make: () => Promise<ClaimedBounty>,
    who: 'founder' | 'claimant',
    action: string,
    body?: unknown,
  ): Prepare =>
  async () => {
    const bounty = await make()
    return onBounty(bounty, action, { right: bounty[who], body })
  }
const claimed = () => market.claimedBounty({ project })
const inReview = () => market.bountyInReview({ project })

/** On the project, by its founder. */
const byFounder =
  (action: string, body?: unknown): Prepare =>
  async () => ({
    ...(await anywhere(`/api/projects/${project.id}${action}`, () => body)()),
    founder: project.founder,
    right: project.founder,
  })

/** On a webhook that got an event. */
const onWebhook =
  (action: (event: string) => string, body?: unknown): Prepare =>
  async () => {
    const right = await market.register()
    const { webhook } = await hooks.create(right, receiver.url)
    const path = `/api/webhooks/${webhook.id}${action(await hooks.event(right))}`
    return { ...(await anywhere(path, () => body)()), right }
  }

const recipient = createRecipient()
const newProject = { name: 'P', description: 'D', token_symbol: 'SYM', token_supply: 1000 }
/** A rule whose check is green on the default branch. */
const acceptance = { checks: ['test'], allowed_paths: ['src/**'], hours: 72 }
await fetch(`${market.github.apiUrl}/repos${new URL(project.repo_url).pathname}/statuses/heads%2Fmain`, {
  method: 'POST',
  headers: { authorization: `Bearer ${market.githubToken}`, 'content-type': 'application/json' },
  body: JSON.stringify({ context: 'test', state: 'success' }),
})
const newBounty = { title: 'T', description: 'D', reward_amount: 1, acceptance }

/** A scene for every operation, by its id. */
export const scenes: Record<string, Prepare> = {
  'agents.register': anywhere('/api/agents/register', () => ({ name: 'Ada' })),
  'agents.me': own('/api/agents/me', paid.claimant),
  'agents.setWallet': anywhere('/api/agents/me/wallet', () => ({ wallet_address: someAddress })),
  'agents.generateWallet': anywhere('/api/agents/me/generate-wallet'),
  'agents.rotateKey': async () => ({
    ...(await anywhere('/api/agents/me/rotate-key')()),
    founder: await market.register(),
    claimant: await market.register(),
  }),
  'agents.createToken': anywhere('/api/agents/me/tokens', () => ({ scope: 'work', label: 'laptop' })),
  'agents.tokens': own('/api/agents/me/tokens', paid.claimant),
  'agents.revokeToken': async () => {
    const right = await market.register()
    const body = { scope: 'read', label: 'laptop' }
    const { id } = (await market.api('POST', '/api/agents/me/tokens', { key: right.key, body })).body.token
    return { path: `/api/agents/me/tokens/${id}`, founder, claimant, right }
  },
  'agents.balances': own('/api/agents/me/balances', paid.claimant),
  'agents.exportWallet': async () => ({
    ...(await anywhere('/api/agents/me/wallet/export', () => ({ recipient_public_key: recipient.spki }))()),
    right: await market.register(),
  }),
  'agents.get': anywhere(`/api/agents/${project.founder.id}`),
  'agents.projects': own('/api/agents/me/projects', project.founder),
  'agents.bounties': own('/api/agents/me/bounties', project.founder),
  'agents.submissions': own('/api/agents/me/submissions', paid.claimant),
  'agents.tasks': own('/api/agents/me/tasks', project.founder),
  'agents.standing': own('/api/agents/me/standing', paid.claimant),
  'projects.create': anywhere('/api/projects', () => newProject),
  'projects.list': anywhere('/api/projects'),
  'projects.get': anywhere(`/api/projects/${project.id}`),
  'projects.activate': async () => {
    const { id, founder } = await market.proposedProject()
    const { claimant } = await market.claimedBounty({ project })
    return { path: `/api/projects/${id}/activate`, founder, claimant, right: founder }
  },
  'projects.approvalStatus': byFounder('/approval-status'),
  'projects.market': anywhere(`/api/projects/${project.id}/market`),
  'projects.marketHistory': anywhere(`/api/projects/${project.id}/market/history`),
  'projects.funds': anywhere(`/api/projects/${project.id}/funds`),
  'projects.setAllowance': async () => {
    const own = await market.activeProject()
    const { claimant } = await market.claimedBounty({ project: own })
    const path = `/api/projects/${own.id}/allowance`
    return { path, body: { amount: '200000' }, founder: own.founder, claimant, right: own.founder }
  },
  'projects.allowance': async () => {
    const { founder } = project
    const path = `/api/projects/${project.id}/allowance`
    await market.api('POST', path, { key: founder.key, body: { amount: '200000000' } })
    return { ...(await anywhere(path)()), founder, right: founder }
  },
  'projects.setMaintainer': byFounder('/maintainer', { github_login: 'ada' }),
  'projects.setRepository': async () => {
    const { id, founder } = await market.proposedProject()
    const { claimant } = await market.claimedBounty({ project })
    const path = `/api/projects/${id}/repository`
    return { path, body: { full_name: 'ada/rocket' }, founder, claimant, right: founder }
  },
  'projects.getRepository': anywhere(`/api/projects/${project.id}/repository`),
  'projects.setClaims': byFounder('/claims', { min_approved: 0 }),
  'projects.submissions': byFounder('/submissions'),
  'bounties.create': byFounder('/bounties', newBounty),
  'bounties.list': anywhere('/api/bounties'),
  'bounties.get': byAnyone(claimed, ''),
  'bounties.preflight': byAnyone(claimed, '/preflight'),
  'bounties.claim': byAnyone(() => market.openBounty({ project }), '/claim'),
  'bounties.getClaim': byAnyone(claimed, '/claim'),
  'bounties.getReview': byAnyone(inReview, '/review'),
  'bounties.getAcceptance': async () => {
    const bounty = await market.claimedBounty({ project })
    const posted_by = { kind: 'account', id: 1, name: 'ada' }
    const rule = { ...acceptance, checks: [{ name: 'test', posted_by }] }
    await setRows(market.db, 'bounties', { id: bounty.id }, { acceptance: rule })
    return onBounty(bounty, '/acceptance', { right: bystander })
  },
  'bounties.update': async () => {
    const bounty = await market.openBounty({ project })
    const body = { reward_amount: 101, acceptance }
    return onBounty({ ...bounty, claimant }, '', { right: bounty.founder, body })
  },
  'bounties.revisions': byAnyone(claimed, '/revisions'),
  'bounties.timeline': byAnyone(claimed, '/timeline'),
  'bounties.extend': async () => {
    const bounty = await market.claimedBounty({ project })
    await market.work(bounty)
    return onBounty(bounty, '/extend', { right: bounty.claimant })
  },
  'bounties.release': byParty(claimed, 'claimant', '/release'),
  'bounties.dismiss': byParty(claimed, 'founder', '/dismiss', { review_notes: 'No work.' }),
  'bounties.submit': async () => {
    const bounty = await market.claimedBounty({ project })
    const body = { pr_url: await market.pullRequest(project) }
    return onBounty(bounty, '/submit', { right: bounty.claimant, body })
  },
  'bounties.approve': byParty(inReview, 'founder', '/approve'),
  'bounties.reject': byParty(inReview, 'founder', '/reject', { review_notes: 'No.' }),
  'bounties.requestChanges': byParty(inReview, 'founder', '/request-changes', { review_notes: 'No.' }),
  'bounties.merge': async () => {
    const body = { expected_head_sha: await submittedHead(market.db, paid.submissionId) }
    return onBounty(paid, '/merge', { right: paid.founder, body })
  },
  'bounties.cancel': async () => {
    const bounty = await market.openBounty({ project })
    const { claimant } = await market.claimedBounty({ project })
    return { ...onBounty({ ...bounty, claimant }, '/cancel', { right: bounty.founder }) }
  },
  'dollars.lock': async () => {
    const bounty = await market.openBounty({ project })
    await giveDollars(market.chain.rpcUrl, project.founder.wallet_address as Address)
    return {
      ...onBounty({ ...bounty, claimant }, '/dollars', { right: bounty.founder, body: { amount: '5' } }),
    }
  },
  'dollars.ofBounty': byAnyone(claimed, '/dollars'),
  'comments.list': byAnyone(claimed, '/comments'),
  'comments.create': byAnyone(claimed, '/comments', { text: 'Why?' }),
  'comments.setCommenters': byParty(claimed, 'founder', '/commenters', { min_approved: 0 }),
  'comments.hide': async () => {
    const bounty = await market.claimedBounty({ project })
    const path = `/api/bounties/${bounty.id}/comments`
    const asked = await market.api('POST', path, { key: bounty.claimant.key, body: { text: 'Why?' } })
    return onBounty(bounty, `/comments/${asked.body.comment.id}/hide`, { right: bounty.founder })
  },
  'submissions.retract': async () => {
    const bounty = await market.bountyInReview({ project })
    const path = `/api/submissions/${bounty.submissionId}/retract`
    return { ...onBounty(bounty, '', { right: bounty.claimant }), path }
  },
  'submissions.get': async () => {
    const { founder, claimant, submissionId } = paid
    return { path: `/api/submissions/${submissionId}`, founder, claimant, right: claimant }
  },
  'submissions.pullRequest': anywhere(`/api/submissions/${paid.submissionId}/pull-request`),
  'payouts.list': anywhere('/api/payouts'),
  'payouts.get': anywhere(`/api/submissions/${paid.submissionId}/payout`),
  'withdrawals.create': async () => ({
    ...(await anywhere('/api/agents/me/withdrawals', () => ({
      project_id: project.id,
      amount: '1',
      to: someAddress,
      as: 'tokens',
    }))()),
    headers: { 'idempotency-key': randomUUID() },
    // A withdrawal of a token runs at a time.
    right: await relays.holder(project),
  }),
  'withdrawals.list': own('/api/agents/me/withdrawals', holder),
  'withdrawals.get': async () => {
    const right = holder
    const { id } = (await relays.withdraw(right, project, {}, 'one-withdrawal')).body.withdrawal
    return { ...(await anywhere(`/api/agents/me/withdrawals/${id}`)()), right }
  },
  'dollars.get': own('/api/agents/me/dollars', holder),
  'dollars.withdraw': async () => {
    const right = await market.register()
    await giveDollars(market.chain.rpcUrl, right.wallet_address as Address)
    const body = { amount: '1.5', to: someAddress }
    const headers = { 'idempotency-key': randomUUID() }
    return { ...(await anywhere('/api/agents/me/dollars/withdraw', () => body)()), headers, right }
  },
  'activity.list': anywhere('/api/activity'),
  'events.list': anywhere('/api/events'),
  'webhooks.create': anywhere('/api/webhooks', () => ({ url: receiver.url })),
  'webhooks.list': async () => ({ ...(await onWebhook(() => '')()), path: '/api/webhooks' }),
  'webhooks.get': onWebhook(() => ''),
  'webhooks.update': onWebhook(() => '', { enabled: false }),
  'webhooks.delete': onWebhook(() => ''),
  'webhooks.rotateSecret': onWebhook(() => '/rotate-secret'),
  'webhooks.test': onWebhook(() => '/test'),
  'webhooks.deliveries': onWebhook(() => '/deliveries'),
  'webhooks.redeliver': onWebhook((event) => `/deliveries/${event}/redeliver`),
  'webhooks.replay': onWebhook(() => '/replay', { after: '0' }),
  'dashboard.stats': anywhere('/api/dashboard/stats'),
  'config.public': anywhere('/api/config/public'),
}

/** A payout of the submission in review that has failed, as far as the database knows. */
async function storeFailedPayout({ path }: Scene): Promise<void> {
  const [, id = ''] = /(bnt_\w+|sub_\w+)/.exec(path) ?? []
  const { id: submission_id } = await market.db
    .selectFrom('submissions')
    .where((where) => where.or([where('bounty_id', '=', id), where('id', '=', id)]))
    .select('id')
    .executeTakeFirstOrThrow()
  await createRows(market.db).payout({ submission_id, status: 'failed' })
}

/** What the scenes of some operations need before these have to read the chain. */
export const needChain: Record<string, typeof storeFailedPayout> = {
  'bounties.reject': storeFailedPayout,
  'bounties.requestChanges': storeFailedPayout,
  'submissions.retract': storeFailedPayout,
}
