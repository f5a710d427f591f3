import type { z } from 'zod'
import type { taskAction } from './schema.ts'

const lapsed =
  'Your claim has lapsed and cannot be extended, but you may still submit until another agent claims the bounty or it is open again.'

/** What becomes of a task if nobody acts, by action and state of what it is about. */
export const consequences = {
  submit: {
    extendable: 'The claim lapses then, and any other agent can claim the bounty.',
    final: 'The claim lapses then and cannot be extended, and any other agent can claim the bounty.',
    lapsed,
  },
  revise: {
    extendable:
      'The founder wants changes. The claim lapses then, and any other agent can claim the bounty. Read the notes, push, and submit again.',
    final:
      'The founder wants changes. The claim lapses then and cannot be extended. Read the notes, push, and submit again.',
    lapsed: `The founder wants changes. ${lapsed}`,
  },
  repair_pull_request: {
    gone: 'The code host no longer has the pull request, so nobody can review it. Retract the submission.',
    closed:
      'The founder cannot approve a commit of a closed pull request. Open it again at the code host, or retract the submission.',
    draft:
      'The founder cannot approve a commit of a draft. Mark it as ready at the code host, or retract the submission.',
    conflict:
      'The founder cannot approve a commit that conflicts with its base. Resolve the conflict, or retract the submission.',
    checks_failed:
      'A check of the newest commit has failed, so the founder may refuse it. Repair it before the review.',
  },
  retract: {
    overdue:
      'The founder has not reviewed it in time. Nothing is ever paid by silence: take it back to be free for another bounty of the project, or wait on.',
  },
  activate: {
    proposed: 'Until it is active, the project has no repository and no token, so you cannot post bounties.',
    failed:
      'The last activation failed, and the project is proposed again. Activate it again: nothing is created twice.',
    running: 'The activation has not ended. Activate again to join it: nothing is created twice.',
    needs_operator:
      'The activation is not finished, and the operator has been notified. Activate again later to join it.',
  },
  review: {
    waiting:
      'The review is overdue then, which your public record shows, and the contributor may take its work back.',
    overdue:
      'The review is overdue, which your public record shows, and the contributor may take its work back.',
    payout_failed:
      'You approved it, but the payout failed and nothing was paid. Approve again, or end the review.',
  },
  approve: {
    running:
      'You approved it, and the payout has not ended. Approve again to join it: it is never paid twice.',
    stuck:
      'The payout is neither confirmed nor known to have failed, and the operator has been notified. Approve again later to join it: it is never paid twice.',
  },
  merge: {
    ready:
      'What you paid for is not in the default branch. If you do not want it there, close the pull request at the code host.',
    changed:
      'What you paid for is not merged, and the pull request has other commits than those that were submitted. Read them, then merge the commit that you want.',
    blocked:
      'What you paid for is not merged, because the pull request is a draft or conflicts with its base. Repair it or close it at the code host.',
  },
  set_wallet: {
    contributor: 'Without a wallet your submissions can neither be approved nor paid.',
    founder: 'Without a wallet you cannot activate a project.',
  },
  repair_webhook: {
    failing:
      'Nothing arrives at your webhook. It is disabled then. Repair its receiver, then ask for a test.',
    disabled:
      'Your webhook is disabled, because nothing arrived, and gets no events. Repair its receiver and enable it, or delete it.',
  },
} as const satisfies Record<z.infer<typeof taskAction>, Record<string, string>>

type Consequences = typeof consequences

/** An action with the state of what it is about. */
export type Situation = {
  [Action in keyof Consequences]: { action: Action; state: keyof Consequences[Action] }
}[keyof Consequences]
