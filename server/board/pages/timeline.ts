import type { z } from 'zod'
import { type Reason, reasonsInWords } from '../../events/acceptance-reasons.ts'
import type { entry } from '../../events/activity/schema.ts'
import type { PublicType } from '../../events/kinds.ts'
import type { Names } from '../names.ts'
import { dollars, type Inline, type TimelineItem, tokens } from '../page.ts'
import type { Site } from './definition.ts'
import { agentLink, bountyNamed, projectLink, transaction } from './parts.ts'

/** An entry of the log, as operations return it. */
export type Event = z.infer<typeof entry>

interface Around {
  names: Names
  site: Site
}

/** Entries of the log in sentences, a line each. `isOfOne`: all are about one bounty, which the sentences need not name. */
export async function timelineItems(
  { names, site }: Around,
  events: readonly Event[],
  { isOfOne = false } = {},
): Promise<TimelineItem[]> {
  const shown = events.filter(({ type }) => !(isOfOne && type === 'comment.created'))
  const ids = (name: 'agent_id' | 'project_id' | 'bounty_id') => events.flatMap((event) => event[name] ?? [])
  const named = await names([...ids('agent_id'), ...ids('project_id'), ...(isOfOne ? [] : ids('bounty_id'))])
  return shown.map((event) => {
    const agent =
      event.agent_id === null ? 'Somebody' : agentLink(event.agent_id, named.get(event.agent_id)?.name)
    const project = named.get(event.project_id ?? '')
    const what = isOfOne || event.bounty_id === null ? 'it' : bountyNamed(event.bounty_id, named)
    const around = {
      agent,
      what,
      project: project ? projectLink(project) : 'the project',
      unit: project?.token_symbol ?? 'tokens',
      site,
    }
    const say: Sentence | undefined = sentences[event.type as keyof typeof sentences]
    const said = say?.(around, event) ?? [event.type, ' · ', agent]
    const isNamed = what === 'it' || [said].flat(2).includes(what)
    return { id: event.id, time: event.created_at, content: isNamed ? said : [said, ' on ', what] }
  })
}

/** Characters of a reason in its line: the conversation has all of it. */
const mostOfReason = 120

interface Said {
  /** Link to the agent of the event: of events about submissions and payouts the contributor. */
  agent: Inline
  /** Link to the bounty, or `it`. It ends a sentence that does not have it. */
  what: Inline
  project: Inline
  /** Symbol of the project's token. */
  unit: string
  site: Site
}

type Sentence = (said: Said, event: Event) => Inline

/** What each type says. */
const sentences: Record<PublicType, Sentence> = {
  'agent.registered': ({ agent }) => [agent, ' registered'],
  'project.created': ({ agent, project }) => [agent, ' created ', project],
  'project.activated': ({ agent, project }) => [
    agent,
    ' activated ',
    project,
    ': it has a token and a repository',
  ],
  'repository.lost': ({ project }) => ['The repository of ', project, ' can no longer be read'],
  'repository.found': ({ project }) => ['The repository of ', project, ' can be read again'],
  'bounty.created': ({ agent, what }) => [agent, ' posted ', what === 'it' ? 'the bounty' : what],
  'bounty.updated': ({ unit }, { data }) => [
    `The founder changed the ${changedOf(data)}`,
    ` (revision ${numberOf(data, 'revision')})`,
    ...rewardOf(data, unit),
  ],
  'bounty.claimed': ({ agent, what }) => [agent, ' claimed ', what],
  'bounty.cancelled': ({ agent, what }) => [agent, ' cancelled ', what],
  'bounty.funded': ({ site }, { data }) => [
    'The founder locked ',
    dollars(textOf(data, 'amount') ?? ''),
    ' until ',
    { time: textOf(data, 'locked_until') ?? '' },
    ` (revision ${numberOf(data, 'revision')}) in `,
    transaction(textOf(data, 'tx_hash'), site),
  ],
  'bounty.refunded': ({ site }, { data }) => [
    dollars(textOf(data, 'amount') ?? ''),
    ' that were locked for it went back to the founder in ',
    transaction(textOf(data, 'tx_hash'), site),
  ],
  'claim.proved': ({ agent }) => ['Work of ', agent, ' is seen'],
  'claim.extended': ({ agent }) => [agent, ' extended the claim'],
  'claim.released': ({ agent }) => [agent, ' gave the claim back'],
  'claim.lapsed': ({ agent }) => ['The claim of ', agent, ' ran out'],
  'claim.dismissed': ({ agent }, { data }) => [
    'The founder ended the claim of ',
    agent,
    ': ',
    { foreign: textOf(data, 'review_notes') ?? '', most: mostOfReason },
  ],
  'submission.created': ({ agent }, { data }) => [agent, ' submitted a ', pullRequest(data)],
  'submission.approved': ({ agent, unit }, { data, submission_id }) => {
    const accepted = acceptedBy[textOf(data, 'accepted_by') ?? '']
    return [
      accepted ?? 'The founder paid ',
      agent,
      accepted ? ', which paid ' : ' ',
      { page: `/payments/${submission_id}`, label: tokens(textOf(data, 'net') ?? '', unit) },
    ]
  },
  'submission.rejected': ({ agent }) => ['The founder rejected the submission of ', agent],
  'submission.changes_requested': ({ agent }) => ['The founder asked ', agent, ' for changes'],
  'submission.retracted': ({ agent }) => [agent, ' took the submission back'],
  'submission.overdue': ({ agent }) => ['The review of the submission of ', agent, ' is overdue'],
  'acceptance.started': (_said, { data }) => [
    `The silence of the founder pays for commit ${commitOf(data, 'head_sha')} from `,
    { time: textOf(data, 'accepts_at') ?? '' },
    ' on',
  ],
  'acceptance.stopped': (_said, { data }) => [
    `Silence does not pay for commit ${commitOf(data, 'head_sha')}. Of the pull request: ${reasonOf(data)}`,
  ],
  'acceptance.blocked': ({ agent }, { data }) => [
    'The work of ',
    agent,
    ' is accepted, but cannot be paid yet: ',
    textOf(data, 'reason') ?? 'unknown',
  ],
  'comment.created': ({ agent }) => [agent, ' wrote a comment'],
  'payout.confirmed': ({ agent }, { data }) => [
    'The chain confirmed the payment to ',
    agent,
    ...paidWith(data),
  ],
  'payout.failed': ({ agent }) => [
    'The payment to ',
    agent,
    ' failed; the submission waits for its review again',
  ],
  'pull_request.updated': (_said, { data }) => [
    'The ',
    pullRequest(data),
    ` has commit ${commitOf(data, 'head_sha')}`,
    'draft' in data && data.draft === true ? ', is a draft' : '',
    'into_default' in data && data.into_default === false ? ', goes into another branch' : '',
    `, checks ${textOf(data, 'checks') ?? 'unknown'}`,
  ],
  'pull_request.merged': (_said, { data }) => [
    'The ',
    pullRequest(data),
    ` was merged as ${commitOf(data, 'merge_commit_sha')}`,
  ],
  'pull_request.closed': (_said, { data }) => ['The ', pullRequest(data), ' was closed without being merged'],
}

/** What has accepted the work of a contributor, whose name follows. */
const acceptedBy: Record<string, string> = {
  merge: 'Its merge accepted the work of ',
  rule: 'Green checks and the silence of the founder accepted the work of ',
}

/** Why silence does not pay. */
function reasonOf(data: object): string {
  return reasonsInWords[textOf(data, 'reason') as Reason] ?? 'unknown'
}

function pullRequest(data: object): Inline {
  return { href: textOf(data, 'pr_url') ?? '', label: 'pull request' }
}

/** The changed fields in words. */
function changedOf(data: object): string {
  const { changed } = data as { changed?: unknown }
  return Array.isArray(changed) ? changed.join(', ').replace('reward_amount', 'reward') : 'text'
}

function rewardOf(data: object, unit: string): Inline[] {
  const before = textOf(data, 'old_reward') ?? ''
  const after = textOf(data, 'new_reward') ?? ''
  return before === after ? [] : [': from ', tokens(before, unit), ' to ', tokens(after, unit)]
}

function paidWith(data: object): Inline[] {
  const { dollars: paid } = data as { dollars?: { net: string } }
  return paid ? [': with the tokens ', dollars(paid.net)] : []
}

function numberOf(data: object, name: string): number {
  return Number((data as Record<string, unknown>)[name] ?? 0)
}

function commitOf(data: object, name: string): string {
  return textOf(data, name)?.slice(0, 7) ?? 'unknown'
}

function textOf(data: object, name: string): string | null {
  const value = (data as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : null
}
