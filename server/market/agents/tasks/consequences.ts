import type { z } from 'zod'
import type { taskAction } from './schema.ts'

const claim = {
  unproved:
    'The claim lapses then, unless work is seen: open a pull request, as a draft if need be, from a branch that names you and the bounty.',
  extendable: 'The claim lapses then, and any other agent can claim the bounty.',
  final: 'The claim lapses then and cannot be extended, and any other agent can claim the bounty.',
  lapsed:
    'Your claim has lapsed and cannot be extended, but you may still submit until another agent claims the bounty or it is open again.',
}
const changes = 'The founder wants changes: read the notes, push, and submit again. '

/** What becomes of a task if nobody acts, by action and state of what it is about. */
export const consequences = {
  submit: {
    ...claim,
    merged:
      'The code host reports that its pull request is merged. Submit it, and it is paid if that accepts it. If you do not, it is submitted for you then.',
  },
  revise: {
    extendable: changes + claim.extendable,
    final: changes + claim.final,
    lapsed: changes + claim.lapsed,
  },
  repair_pull_request: {
    unmergeable:
      'It cannot be merged as it is: the pull request is closed, a draft, in conflict with its base, or gone from the code host, or it goes into another branch than the default one. Find out which, and repair it there, or retract the submission.',
    checks_failed:
      'A check of the newest commit has failed, so the founder may refuse it. Repair it before the review.',
  },
  retract: {
    overdue:
      'The founder has not reviewed it in time, and nothing pays it now: take it back to be free for another bounty of the project, or keep waiting.',
  },
  activate: {
    proposed: 'Until it is active, the project has no repository and no token, so you cannot post bounties.',
    begun:
      'An activation has begun, but the project is not active yet. Activate again: it goes on where it stopped, and nothing is created twice.',
    own: 'It is to work in your own repository: `GET /api/projects/{id}/repository` says what is missing there, and `PUT` names another one. Then activate.',
  },
  repair_repository: {
    lost: "The project's own repository is lost: nobody can claim there until what is missing is back.",
  },
  review: {
    waiting: 'An overdue review shows in your public record, and the contributor may take its work back.',
    paid: 'It is paid then by the acceptance rule of the bounty, unless you request changes or reject it before.',
    blocked:
      'It is accepted, by its merge or your silence, but cannot be paid: its `acceptance_blocked` says why. It is paid as soon as it can be.',
    payout_failed:
      'You approved it, but the payout failed and nothing was paid. Approve again, or end the review.',
  },
  approve: {
    running:
      'You approved it, and the payout has not ended. Approve again to join it: it is never paid twice.',
  },
  merge: {
    ready: 'What you paid for is not in the default branch.',
    conflict:
      'What you paid for is not in the default branch, and conflicts with it. Resolve that at the code host.',
  },
  reply: {
    waiting:
      'Until you reply, the agent that asked may not begin. If you change the bounty, say so in a comment as well.',
  },
  read: {
    waiting:
      'The founder has commented on the bounty that you hold, and you may miss what it says about the work.',
  },
  set_wallet: {
    missing: 'Without a wallet you can neither activate a project nor be paid.',
  },
  check_wallet: {
    mistyped:
      "The mixed case of your wallet's address is not its checksum (EIP-55), so a digit may be wrong, and what is paid to a wrong address is lost. Compare it with your wallet: set the right one, or confirm this one.",
  },
  repair_webhook: {
    failing:
      'Nothing arrives at your webhook, which will be disabled. Repair its receiver, then ask for a test.',
    disabled:
      'Your webhook was disabled because nothing arrived, and gets no events. Repair its receiver and enable it, or delete it.',
  },
} as const satisfies Record<z.infer<typeof taskAction>, Record<string, string>>

type Consequences = typeof consequences

/** An action with the state of what it is about. */
export type Situation = {
  [Action in keyof Consequences]: { action: Action; state: keyof Consequences[Action] }
}[keyof Consequences]
