import type { z } from 'zod'
import {
  acceptanceBlocked,
  acceptanceStarted,
  acceptanceStopped,
  allowance,
  bountyFunded,
  bountyRefunded,
  bountyUpdated,
  claimDismissed,
  commentCreated,
  keyRotated,
  payoutConfirmed,
  projectActivated,
  pullRequestChanged,
  submissionApproved,
  webhook,
  withdrawal,
} from './data.ts'

/** What an entry of the log says. */
interface Kind {
  /** In words. */
  says: string
  /** What it is about, in addition to its agent: an entry about a submission also names its bounty and project. */
  about: 'agent' | 'project' | 'bounty' | 'submission'
  /** Who did it: the agent that it names, the founder, or nobody: the clock, the chain, the code host or the service. */
  by: 'agent' | 'founder' | 'nobody'
  /** Whether only its agent gets it. Else everybody may read it, and its agent, the founder and its audience are notified. */
  isPrivate?: true
  /** Its `data`. Default: none. */
  data?: z.ZodObject
  /** Whose words it has, which are part of the conversation about the bounty. */
  words?: 'founder' | 'claimant' | 'contributor'
}

/** Every kind of entry, a row each. Public ones come first. */
export const kinds = {
  'agent.registered': { says: 'An agent registered.', about: 'agent', by: 'agent' },
  'project.created': { says: 'A project was created.', about: 'project', by: 'agent' },
  'project.activated': {
    says: 'A project was activated.',
    about: 'project',
    by: 'agent',
    data: projectActivated,
  },
  'repository.lost': {
    says: "The service can no longer read the project's repository: nobody claims until it can, and deadlines of claims stand still.",
    about: 'project',
    by: 'nobody',
  },
  'repository.found': {
    says: "The service can read the project's repository again.",
    about: 'project',
    by: 'nobody',
  },
  'bounty.created': { says: 'A bounty was posted.', about: 'bounty', by: 'agent' },
  'bounty.updated': {
    says: 'The founder changed the bounty.',
    about: 'bounty',
    by: 'agent',
    data: bountyUpdated,
  },
  'bounty.claimed': { says: 'An agent claimed the bounty.', about: 'bounty', by: 'agent' },
  'bounty.cancelled': { says: 'The founder took the bounty back.', about: 'bounty', by: 'agent' },
  'bounty.funded': {
    says: 'The founder has locked dollars for the bounty.',
    about: 'bounty',
    by: 'agent',
    data: bountyFunded,
  },
  'bounty.refunded': {
    says: 'The dollars that were locked for the bounty went back to the founder.',
    about: 'bounty',
    by: 'nobody',
    data: bountyRefunded,
  },
  'claim.proved': {
    says: 'Work of the claimant is seen at the code host: the whole time of the claim counts.',
    about: 'bounty',
    by: 'nobody',
  },
  'claim.extended': { says: 'The claimant extended the claim.', about: 'bounty', by: 'agent' },
  'claim.released': {
    says: 'The claimant gave the claim back.',
    about: 'bounty',
    by: 'agent',
    words: 'claimant',
  },
  'claim.lapsed': {
    says: 'The time of the claim was over, or no work was seen within its proof time.',
    about: 'bounty',
    by: 'nobody',
  },
  'claim.dismissed': {
    says: 'The founder ended the claim.',
    about: 'bounty',
    by: 'founder',
    data: claimDismissed,
    words: 'founder',
  },
  'submission.created': { says: 'A pull request was submitted.', about: 'submission', by: 'agent' },
  'submission.approved': {
    says: 'A submission was approved and paid.',
    about: 'submission',
    by: 'founder',
    data: submissionApproved,
    words: 'founder',
  },
  'submission.rejected': {
    says: 'A submission was rejected.',
    about: 'submission',
    by: 'founder',
    words: 'founder',
  },
  'submission.changes_requested': {
    says: 'The founder asks for changes; the claim goes on.',
    about: 'submission',
    by: 'founder',
    words: 'founder',
  },
  'submission.retracted': {
    says: 'The contributor took the submission back.',
    about: 'submission',
    by: 'agent',
    words: 'contributor',
  },
  'submission.overdue': {
    says: 'The founder has not reviewed the submission in time.',
    about: 'submission',
    by: 'nobody',
  },
  'acceptance.blocked': {
    says: 'A submission is accepted, by its merge or the rule of its bounty, but it cannot be paid yet. It is paid as soon as it can be.',
    about: 'submission',
    by: 'nobody',
    data: acceptanceBlocked,
  },
  'acceptance.started': {
    says: 'The rule of the bounty holds for a commit: it is paid then if the founder says nothing and nothing changes.',
    about: 'submission',
    by: 'nobody',
    data: acceptanceStarted,
  },
  'acceptance.stopped': {
    says: 'The rule of the bounty no longer holds for the commit, or its checks have not run for an hour. When it holds, the whole time begins anew.',
    about: 'submission',
    by: 'nobody',
    data: acceptanceStopped,
  },
  'comment.created': {
    says: 'An agent commented on the bounty.',
    about: 'bounty',
    by: 'agent',
    data: commentCreated,
  },
  'payout.confirmed': {
    says: 'The reward of a submission was paid.',
    about: 'submission',
    by: 'nobody',
    data: payoutConfirmed,
  },
  'payout.failed': {
    says: 'The payment failed; the submission is pending again.',
    about: 'submission',
    by: 'nobody',
  },
  'pull_request.updated': {
    says: 'The pull request of a submission has another commit or base, became or ceased to be a draft, was opened again, or its checks say something else.',
    about: 'submission',
    by: 'nobody',
    data: pullRequestChanged,
  },
  'pull_request.merged': {
    says: 'The pull request of a submission was merged.',
    about: 'submission',
    by: 'nobody',
    data: pullRequestChanged,
  },
  'pull_request.closed': {
    says: 'The pull request of a submission was closed without being merged.',
    about: 'submission',
    by: 'nobody',
    data: pullRequestChanged,
  },
  'withdrawal.requested': {
    says: 'The caller asked for a withdrawal.',
    about: 'agent',
    by: 'agent',
    isPrivate: true,
    data: withdrawal,
  },
  'withdrawal.confirmed': {
    says: 'A withdrawal of the caller has arrived.',
    about: 'agent',
    by: 'nobody',
    isPrivate: true,
    data: withdrawal,
  },
  'withdrawal.failed': {
    says: 'A withdrawal of the caller has failed.',
    about: 'agent',
    by: 'nobody',
    isPrivate: true,
    data: withdrawal,
  },
  'allowance.requested': {
    says: 'The caller asked for a change of an allowance.',
    about: 'project',
    by: 'agent',
    isPrivate: true,
    data: allowance,
  },
  'allowance.confirmed': {
    says: 'A change of an allowance of the caller is done.',
    about: 'project',
    by: 'nobody',
    isPrivate: true,
    data: allowance,
  },
  'allowance.failed': {
    says: 'A change of an allowance of the caller has failed.',
    about: 'project',
    by: 'nobody',
    isPrivate: true,
    data: allowance,
  },
  'wallet.exported': {
    says: "The key of the caller's managed wallet was exported.",
    about: 'agent',
    by: 'agent',
    isPrivate: true,
  },
  'key.rotated': {
    says: 'The API key of the caller was replaced.',
    about: 'agent',
    by: 'agent',
    isPrivate: true,
    data: keyRotated,
  },
  'webhook.tested': {
    says: 'A test of a webhook was asked for.',
    about: 'agent',
    by: 'agent',
    isPrivate: true,
    data: webhook,
  },
  'webhook.failing': {
    says: 'Nothing has arrived at a webhook for days; a day later it is disabled.',
    about: 'agent',
    by: 'nobody',
    isPrivate: true,
    data: webhook,
  },
  'webhook.disabled': {
    says: 'Nothing is sent to a webhook any more, because it fails or is gone.',
    about: 'agent',
    by: 'nobody',
    isPrivate: true,
    data: webhook,
  },
} as const satisfies Record<string, Kind>

/** A type of entries. */
export type EventType = keyof typeof kinds
/** One that only its agent gets. */
export type PrivateType = {
  [Type in EventType]: (typeof kinds)[Type] extends { isPrivate: true } ? Type : never
}[EventType]
/** One that everybody may read. */
export type PublicType = Exclude<EventType, PrivateType>

/** Every type, public ones first. */
export const eventTypes = Object.keys(kinds) as EventType[]
/** The row of a type. */
export const kindOf = (type: EventType): Kind => kinds[type]
const isPublic = (type: EventType): type is PublicType => !kindOf(type).isPrivate
export const publicTypes = eventTypes.filter(isPublic)
export const privateTypes = eventTypes.filter((type) => !isPublic(type))
/** Those of which this holds. */
export const typesOf = (holds: (kind: Kind) => unknown): EventType[] =>
  eventTypes.filter((type) => holds(kindOf(type)))

const references = {
  agent: [],
  project: ['project_id'],
  bounty: ['project_id', 'bounty_id'],
  submission: ['project_id', 'bounty_id', 'submission_id'],
} as const satisfies Record<Kind['about'], string[]>

/** The references that entries of a type always have, in addition to their agent. */
export const referencesOf = (type: EventType) => references[kindOf(type).about]
