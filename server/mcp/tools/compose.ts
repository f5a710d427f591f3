import { limits } from '../../api/limits.ts'
import { ServiceError } from '../../errors.ts'
import { issueAt, validationError } from '../../http/errors/service-error.ts'
import { inWords } from '../../market/bounties/preflight/delivery.ts'
import { diffOf } from '../diff.ts'
import { isObject, type Json } from '../json.ts'
import type { Send } from '../send.ts'

/** Several requests that are one call of a tool, by this agent. */
export type Composition = (send: Send, input: Json, agentId?: string) => Promise<Json>

const mostHeld = 10
const mostProjects = 5

/** A new agent with its key, and a token that a model may see. A repeated registration shows the key again, and makes another token. */
export const registeredWithToken: Composition = async (send, input) => {
  const registered = await send('agents.register', input)
  const { api_key } = registered.agent as { api_key: string }
  const { secret, token } = await send('agents.createToken', { scope: 'work', label: 'mcp' }, api_key)
  return { ...registered, work_token: secret, work_token_expires_at: (token as Json).expires_at }
}

/** The tasks of the caller, and also what it holds and has founded. If there are none, how much is under way and was paid. */
export const tasksAndHoldings: Composition = async (send, input, agentId) => {
  const [tasks, me, founded] = await Promise.all([
    send('agents.tasks', input),
    send('agents.me', {}),
    send('agents.projects', { limit: mostProjects }),
  ])
  const { active_claims } = me.agent as { active_claims: Json[] }
  const projects = (founded.projects as Json[]).map(({ id, name, status }) => ({
    id,
    name,
    status,
    your_role: 'founder',
  }))
  const held = active_claims.slice(0, mostHeld).map(({ claimed_at: _, ...claim }) => claim)
  const isIdle = (tasks.tasks as Json[]).length === 0
  return {
    ...tasks,
    ...(isIdle && (await countsOf(send, agentId, active_claims))),
    active_claims: held,
    projects,
  }
}

async function countsOf(send: Send, id: string | undefined, claims: Json[]): Promise<Json> {
  const { agent } = (await send('agents.get', { id })) as { agent: Record<string, Record<string, number>> }
  const { as_contributor: contributor, as_founder: founder } = agent
  const in_review = claims.filter(({ status }) => status === 'in_review').length
  const counts = { claimed: claims.length - in_review, in_review, paid: contributor?.approved }
  const { bounties: posted, waiting: to_review, approved } = founder ?? {}
  return { counts: { ...counts, ...(founder?.projects && { posted, to_review, approved }) } }
}

/**
 * Open bounties, or those of one project in every status, with their projects. Where their founders want standing, they
 * say how much, and whether that of the caller is enough.
 */
export const bountiesToFind: Composition = async (send, input, agentId) => {
  const found = await send('bounties.list', input.project_id ? input : { status: 'open', ...input })
  const bounties = found.bounties as Json[]
  if (agentId === undefined || bounties.length === 0) return found
  const [{ wanted, projects }, roleIn] = await Promise.all([wantedAndPaid(send, bounties), rolesOf(send)])
  return {
    ...found,
    projects: Object.fromEntries(
      bounties.map(({ id, project_id }) => [project_id, { ...projects.get(id), ...roleIn(project_id) }]),
    ),
    bounties: bounties.map((bounty) => ({
      ...bounty,
      ...wanted.get(bounty.id),
      ...roleIn(bounty.project_id),
    })),
  }
}

/** What says of a project whether the caller is its founder: of its newest, as many as fit into a page. */
async function rolesOf(send: Send): Promise<(projectId: unknown) => Json> {
  const { projects } = await send('agents.projects', { limit: limits.page_size })
  const founded = new Set((projects as Json[]).map(({ id }) => id))
  return (projectId) => (founded.has(projectId) ? { your_role: 'founder' } : {})
}

/** The balances of the caller, and whether it founded their projects. */
export const balancesWithRoles: Composition = async (send, input) => {
  const found = await send('agents.balances', input)
  const balances = found.balances as Json[]
  if (balances.length === 0) return found
  const roleIn = await rolesOf(send)
  return { ...found, balances: balances.map((one) => ({ ...one, ...roleIn(one.project_id) })) }
}

/**
 * By id of the bounty: how much standing it wants, if any, and whether the caller has that; its locked dollars, if any; and its
 * project.
 */
async function wantedAndPaid(send: Send, bounties: Json[]) {
  const bounty_ids = bounties.map(({ id }) => id).join()
  const standing = await send('agents.standing', { bounty_ids })
  const asked = standing.bounties as Json[]
  const selective = ({ min_approved, min_approved_reached }: Json) =>
    min_approved !== 0 && { min_approved, min_approved_reached }
  return {
    wanted: new Map(
      asked.map(({ id, dollars, ...one }) => [
        id,
        { ...selective(one), ...(dollars !== null && { dollars }) },
      ]),
    ),
    projects: new Map(asked.map(({ id, project_name: name, token_symbol }) => [id, { name, token_symbol }])),
  }
}

/**
 * A submission, and once it is paid what was paid for it, in whole tokens, and the transaction. With `diff_from` a piece of its diff
 * in place of all that.
 */
export const submissionWithPayout: Composition = async (send, { diff_from, ...input }, agentId) => {
  const { submission } = (await send('submissions.get', input)) as { submission: Json }
  if (diff_from !== undefined) return diffOf(send, submission, Number(diff_from))
  // Only its contributor and the founder may read it.
  const isFounder = submission.agent_id !== agentId
  const found = { submission: { ...submission, ...(isFounder && { your_role: 'founder' }) } }
  if (submission.status !== 'approved') return found
  const { net, fee, tx_hash, payout_id } = (await send('payouts.get', input)).payout as Json
  return { ...found, payout: { net, fee, tx_hash, payout_id } }
}

/** Locks dollars of the managed wallet. Where another wallet funds the project, returns what that has to sign. */
export const lockedOrToSign: Composition = async (send, input) => {
  try {
    return await send('dollars.lock', input)
  } catch (error) {
    const isUnsigned = error instanceof ServiceError && error.issues?.some(({ path }) => path === 'signature')
    if (!isUnsigned) throw error
    const { to_sign } = await send('dollars.ofBounty', input)
    return { to_sign }
  }
}

/** The dollars in the wallet of the caller, or those of a bounty. */
export const dollarsOf: Composition = async (send, { bounty_id: id }) => {
  if (id !== undefined) return { dollars: (await send('dollars.ofBounty', { id })).dollars }
  const { wallet_address, balance, withdrawable } = await send('dollars.get', {})
  return { wallet_address, balance, withdrawable }
}

const mostComments = 10
/** Characters of all comments that are shown, but for the newest: the description has to fit beside them. */
const mostWords = 3000

/** How far back a revision can be read: one page. */
const mostRevisions = 100

/**
 * A bounty as its newest revision has it, or as another one had it, with its claim while it is claimed, and the newest comments
 * on it, the oldest of them first. It says whether the caller founded its project or holds it.
 */
export const bountyWithComments: Composition = async (send, { id, revision }, agentId) => {
  const isEarlier = revision !== undefined
  const [{ bounty }, { comments, next }, { revisions }] = (await Promise.all([
    send('bounties.get', { id }),
    send('comments.list', { id, order: 'newest', limit: mostComments }),
    send('bounties.revisions', { id, limit: isEarlier ? mostRevisions : 1 }),
  ])) as [{ bounty: Json }, { comments: Json[]; next: string | null }, { revisions: Json[] }]
  const text = isEarlier ? revisions.find((one) => one.revision === Number(revision)) : revisions[0]
  const { revision: newest_revision } = revisions[0] as Json
  const oldest = revisions.at(-1)?.revision
  if (!text) throw validationError([issueAt('revision', `must be one of ${oldest} to ${newest_revision}`)])
  const { created_at: revised_at, min_approved: _, ...said } = text
  const [{ project }, { wanted }, claimed] = await Promise.all([
    send('projects.get', { id: bounty.project_id }),
    wantedAndPaid(send, [bounty]),
    // The claim may have ended since.
    bounty.status === 'claimed' ? send('bounties.getClaim', { id }).catch((): Json => ({})) : ({} as Json),
  ])
  const isFounder = (project as Json).founder_id === agentId
  const isClaimant = (claimed.claim as Json | undefined)?.agent_id === agentId
  const your_role = isFounder ? 'founder' : isClaimant ? 'claimant' : undefined
  let words = 0
  const readable = comments.filter(({ hidden }) => !hidden)
  const shown = readable.filter(({ text }, index) => {
    words += String(text ?? '').length
    return index === 0 || words <= mostWords
  })
  const latest = shown.reverse().map(({ bounty_id: _, ...comment }) => comment)
  const more_comments = next !== null || latest.length < readable.length
  const { name: project_name, token_symbol } = project as Json
  const about = {
    project_name,
    token_symbol,
    ...(text.revision !== 1 && { revised_at }),
    newest_revision,
    ...(your_role && { your_role }),
    ...wanted.get(id),
    ...claimed,
  }
  return { bounty: { ...bounty, ...said, ...about, comments: latest, more_comments } }
}

/** No tool pushes, and the configuration of an MCP server is not the environment of its model's shell. */
const inShell = (token_url: string) =>
  `In your shell, \`curl -sS -X POST -H "Authorization: Bearer $WORK_TOKEN" ${token_url}\``
const shellNeedsToken =
  'WORK_TOKEN is the access token of this MCP server. If your shell does not have it, ask the one who has configured the server to set it.'

/** Whether a bounty can be claimed and is paid, and in sentences how to deliver. */
export const preflightInWords: Composition = async (send, input) => {
  const [{ preflight }, { config }] = (await Promise.all([
    send('bounties.preflight', input),
    send('config.public', {}),
  ])) as [{ preflight: Parameters<typeof inWords>[0] }, { config: { github: Json | null } }]
  // The address holds words of the founder, which have no place in a sentence of ours.
  const { repo_url } = preflight.needs ?? {}
  const needs = preflight.needs && { ...preflight.needs, repo_url: '`repo_url`' }
  const sentences = inWords({ ...preflight, needs }, String(config.github?.api_url), inShell)
  const { bounty_id: _, ...facts } = preflight
  const shell = needs?.token_url ? [shellNeedsToken] : []
  return { preflight: { ...facts, ...(repo_url && { repo_url }), needs: [...sentences, ...shell] } }
}

/** The facts about a pull request, and its submission. */
export const factsWithSubmission: Composition = async (send, input, agentId) => {
  const [facts, { submission }] = await Promise.all([
    send('submissions.pullRequest', input),
    // Only its contributor and the founder may read it.
    send('submissions.get', input).catch((): Json => ({})),
  ])
  const { base_ref, updated_at: _, ...pull_request } = facts.pull_request as Json
  const seen = { ...pull_request, ...(!pull_request.into_default && { base_ref }) }
  if (!submission) return { pull_request: seen }
  const { bounty_id, agent_id, pr_url, status } = submission as Json
  const role = agent_id === agentId && { your_role: 'contributor' }
  return { pull_request: seen, submission: { bounty_id, pr_url, status, ...role } }
}

/** Goes on with a proposed project, or creates one, and activates it. Says what its founder can pay with. */
export const activatedProject: Composition = async (send, input) => {
  const { own_repository, ...fields } = input
  const created = input.id
    ? undefined
    : ((await send('projects.create', fields)) as { project: Json }).project
  if (created && own_repository) return { project: created }
  const id = input.id ?? created?.id
  const project = await activated(send, id)
  // The chain may not respond now.
  const { funds } = await send('projects.funds', { id }).catch((): Json => ({}))
  return { project: { ...project, ...(isObject(funds) && { reserve: funds.reserve_left }) } }
}

async function activated(send: Send, id: unknown): Promise<Json> {
  try {
    const { project } = await send('projects.activate', { id })
    return { ...(project as Json), your_role: 'founder' }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'project_already_active')
      return (await send('projects.get', { id })).project as Json
    throw error
  }
}
