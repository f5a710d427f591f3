import type { Json } from '../json.ts'

/** What usually follows a response, in a sentence. */
export type NextStep = (body: Json) => string | undefined

export const afterTasks: NextStep = ({ tasks, has_more }) => {
  const [first] = tasks as { action: string; call: Json }[]
  const how =
    first?.action === 'submit' || first?.action === 'revise'
      ? ' get_bounty has the work, preflight how to deliver it.'
      : ''
  const act = first?.call.tool
    ? `Make the call of the first task, with what is missing; then, or instead, one of its choices, which take the ids of the task, too.${how}`
    : 'No tool does the first task: send its call over HTTP to this server with your credential as Bearer token, or go on with the next one.'
  const more = has_more ? ' More waits than is listed here; review_queue has all reviews of a project.' : ''
  return `${act} Then call next_actions again.${more}`
}

const another = 'Call find_bounties for another one.'
const byBountyStatus: Record<string, string> = {
  open: 'Call preflight, then claim with this revision; or comment, if something is unclear.',
  claimed: another,
  in_review:
    'If you have submitted it, call get_submission with the id of its pending submission. Otherwise call find_bounties for another one.',
  done: `It is paid. ${another}`,
}
const asClaimant =
  'You hold it: show work before claim.proof_due_at, and call submit before claim.expires_at.'
const asFounder: Record<string, string> = {
  open: 'It is yours: comment answers questions, update_bounty changes it. Call wait_for_events until somebody asks or submits.',
  claimed:
    'It is yours: comment answers its claimant, and its reward can still rise. Without work the claim ends by itself at claim.proof_due_at, ' +
    'at claim.expires_at at the latest; the bounty is open again then. Call wait_for_events until there is a submission.',
  in_review: 'It is yours: call pull_request with the id of its pending submission before you decide.',
  done: 'It is yours and paid. If its pull request is not merged, call merge.',
}
export const afterBounty: NextStep = (body) => {
  const { status, revision, newest_revision, your_role } = body.bounty as Json
  if (revision !== newest_revision)
    return `This is what it said before. It is revision ${newest_revision} now: call get_bounty without revision.`
  if (your_role === 'claimant') return asClaimant
  return (your_role === 'founder' ? asFounder : byBountyStatus)[String(status)]
}

export const afterPreflight: NextStep = ({ preflight }) => {
  const { can_claim, reasons } = preflight as { can_claim: boolean; reasons: string[] }
  if (can_claim)
    return 'If payable is true and the work is worth it, call claim with the revision that you have read.'
  return reasons.includes('founder_cannot_claim')
    ? 'It is yours, so you cannot claim it. Call get_bounty to see what you can do.'
    : 'If you hold this bounty, deliver as `needs` says and call submit. Otherwise call find_bounties for another one.'
}

const bySubmissionStatus: Record<string, string> = {
  pending:
    'Founder: call pull_request before you decide. Contributor: call wait_for_events until it is reviewed.',
  approving: 'It is being paid. Contributor: call wait_for_events. Founder: call next_actions.',
  approved: 'It is paid. Founder: call merge unless it is merged. Contributor: balances shows what you have.',
  rejected: 'It ended without pay; review_notes say why. Contributor: call find_bounties for other work.',
  changes_requested:
    'The contributor repairs the pull request as review_notes says, then calls submit again.',
  retracted: 'Its contributor took it back. There is nothing to do.',
}
export const afterSubmission: NextStep = ({ submission, head_sha, diff, diff_next }) => {
  const { status } = submission as { status: string }
  if (head_sha === undefined) return bySubmissionStatus[status]
  if (diff === undefined) return 'It is too large to be shown: read the diff of head_sha with git.'
  if (diff_next !== null)
    return `There is more: call get_submission with diff_from ${diff_next}. If it has another head_sha, read from 0 again.`
  const decide =
    'The founder calls approve with this head_sha as expected_head_sha, or return_submission, if all pieces had it.'
  return status === 'pending'
    ? `The diff ends here. ${decide}`
    : `The diff ends here. ${bySubmissionStatus[status]}`
}

/** What a founder should know before a payment. */
function doubtsAbout({ merged, state, draft, names_claimant, head_sha, submitted_head_sha }: Json): string {
  const doubts = [
    merged &&
      'It is merged already: other_submissions of get_submission says whether it was paid for another bounty.',
    !merged && state !== 'open' && `It is ${state}.`,
    draft && 'It is a draft.',
    !names_claimant && 'Its branch does not name this bounty and this agent: anybody can submit its address.',
    head_sha !== submitted_head_sha && 'Its newest commit is not the one that was submitted.',
  ]
  return doubts
    .filter(Boolean)
    .map((doubt) => `${doubt} `)
    .join('')
}

export const afterFacts: NextStep = (body) => {
  const facts = body.pull_request as Json
  const { merged } = facts
  if (!body.submission) return undefined
  const { pr_url, status } = body.submission as { pr_url: string; status: string }
  if (merged && status === 'approved') return 'It is paid and merged. There is nothing to do.'
  if (status !== 'pending') return afterSubmission(body)
  const number = pr_url.split('/').at(-1)
  return `${doubtsAbout(facts)}Read the diff of head_sha: get_submission with diff_from 0, or in a clone \`git fetch origin pull/${number}/head\`. Then the founder calls approve with this head_sha as expected_head_sha, or return_submission.`
}

export const afterEvents: NextStep = ({ truncated, pause_seconds }) => {
  if (truncated)
    return 'Events before these are missing. Call next_actions to see how things stand, then wait_for_events with this cursor.'
  if (Number(pause_seconds) > 0)
    return `This call could not wait to its end: too many wait, or a newer call of yours has taken its place. Do something else, or pause ${pause_seconds} seconds, before you call wait_for_events with this cursor.`
  return 'Call next_actions to see what to do; get_bounty has comments and changes. To keep waiting, call wait_for_events with this cursor.'
}
