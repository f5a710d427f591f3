import { z } from 'zod'

/** Why the silence of a founder does not pay for a pull request, in words, in the order in which it is found out. */
export const reasonsInWords = {
  closed: 'it is closed',
  draft: 'it is a draft',
  conflict: 'it conflicts with its base',
  other_base:
    'it goes into another branch than the default one, or did when its checks began: push a commit so that they run again',
  not_contributors: 'its branch does not name the contributor and the bounty',
  old_commit: 'its newest commit was paid already, or came back from a review',
  wrong_size: 'it changes no file, or more than 300',
  path_not_allowed: 'it changes a path that is not allowed',
  check_by_author: 'its author is the account that posts a check',
  check_failed: 'a check has ended without success',
  check_pending: 'a check is running',
  checks_not_run: 'a check has not run on its newest commit',
  another_commit: 'it has another newest commit',
  repeated: 'a check was repeated, or it was closed, a draft or pushed anew for a while',
}
export type Reason = keyof typeof reasonsInWords
export const reasons = Object.keys(reasonsInWords) as Reason[]

/** One of them. */
export const acceptanceReason = z.enum(reasons).meta({
  id: 'AcceptanceReason',
  description:
    'What is missing at the pull request. `repeated`: a check was, or it was something else for a while.',
})
