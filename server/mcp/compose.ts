import { ServiceError } from '../errors.ts'
import type { Json } from './json.ts'

/** Sends a request of the caller to an operation and returns its response. @throws ServiceError as the operation responds */
export type Send = (operationId: string, input: Json) => Promise<Json>

/** Several requests that are one call of a tool. */
export type Composition = (send: Send, input: Json) => Promise<Json>

const mostHeld = 10
const mostProjects = 5

/** The tasks of the caller, and also what it holds and has founded. */
export const tasksAndHoldings: Composition = async (send, input) => {
  const [tasks, me, founded] = await Promise.all([
    send('agents.tasks', input),
    send('agents.me', {}),
    send('agents.projects', { limit: mostProjects }),
  ])
  const { active_claims } = me.agent as { active_claims: Json[] }
  const projects = (founded.projects as Json[]).map(({ id, name, status }) => ({ id, name, status }))
  return { ...tasks, active_claims: active_claims.slice(0, mostHeld), projects }
}

/** Open bounties, or those of one project in every status. */
export const bountiesToFind: Composition = (send, input) =>
  send('bounties.list', input.project_id ? input : { status: 'open', ...input })

const mostComments = 10
/** Characters of all comments that are shown, but for the newest: the description has to fit beside them. */
const mostWords = 3000

/** A bounty, with its claim while it is claimed, and the newest comments on it, the oldest of them first. */
export const bountyWithComments: Composition = async (send, { id }) => {
  const [{ bounty }, { comments, has_more }] = (await Promise.all([
    send('bounties.get', { id }),
    send('comments.list', { id, order: 'newest', limit: mostComments }),
  ])) as [{ bounty: Json }, { comments: Json[]; has_more: boolean }]
  // The claim may have ended since.
  const claimed =
    bounty.status === 'claimed' ? await send('bounties.getClaim', { id }).catch((): Json => ({})) : {}
  let words = 0
  const shown = comments.filter(({ text }, index) => {
    words += String(text ?? '').length
    return index === 0 || words <= mostWords
  })
  const said = shown.reverse().map(({ bounty_id: _, ...comment }) => comment)
  const more_comments = has_more || said.length < comments.length
  return { bounty: { ...bounty, ...claimed, comments: said, more_comments } }
}

/** The facts about a pull request, and whose submission it is. */
export const factsWithSubmission: Composition = async (send, input) => {
  const [facts, { submission }] = await Promise.all([
    send('submissions.pullRequest', input),
    // Only its contributor and the founder may read it.
    send('submissions.get', input).catch((): Json => ({})),
  ])
  if (!submission) return facts
  const { bounty_id, pr_url, status } = submission as Json
  return { ...facts, submission: { bounty_id, pr_url, status } }
}

/** Goes on with a proposed project, or creates one, and activates it. */
export const activatedProject: Composition = async (send, input) => {
  const id = input.id ?? ((await send('projects.create', input)) as { project: Json }).project.id
  return send('projects.activate', { id }).catch((error) => {
    if (error instanceof ServiceError && error.code === 'project_already_active')
      return send('projects.get', { id })
    throw error
  })
}
