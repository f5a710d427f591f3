import { z } from 'zod'
import { bigNumber, checksState, commitSha, count, timestamp } from '../../api/fields.ts'
import { mostNames } from '../../code/host/checks.ts'
import { intoDefault } from '../../events/data.ts'

/** The pull request of a submission, as the code host reported it. */
export const pullRequest = z
  .object({
    state: z
      .enum(['open', 'closed', 'gone'])
      .describe(
        '`closed` includes merged. `gone`: the code host no longer has it, and the other members are what it reported last.',
      ),
    draft: z.boolean().describe('Whether it is a draft, which cannot be merged.'),
    merged: z.boolean().describe('Whether it was merged, or the default branch has what was submitted.'),
    merge_commit_sha: commitSha.nullable().describe('The commit that merged it; `null` if it is not merged.'),
    head_sha: commitSha.describe(
      'Its newest commit, on which the checks ran and which would be merged; of a merged one the commit that was merged.',
    ),
    base_ref: z.string().describe('The branch that it is to be merged into.'),
    into_default: intoDefault,
    submitted_head_sha: commitSha
      .nullable()
      .describe(
        'Its newest commit when it was submitted; `null` if that is not known. Another `head_sha` means that commits were ' +
          'added since.',
      ),
    author: z
      .object({
        id: bigNumber.describe('Id of the account, which outlives a new name.'),
        login: z.string().describe('Name of the account.'),
      })
      .nullable()
      .describe('The account at the code host that opened it; `null` if it was deleted.'),
    names_claimant: z
      .boolean()
      .describe(
        "Whether the name of its branch begins with the submitting agent's id and the bounty's. Anybody can submit the address of another agent's " +
          'pull request: without this, ask who wrote it.',
      ),
    additions: count.describe('Lines added.'),
    deletions: count.describe('Lines deleted.'),
    changed_files: count.describe('Files changed.'),
    mergeable: z
      .boolean()
      .nullable()
      .describe('Whether it merges without a conflict; `null` while the code host has not found out.'),
    checks: z
      .object({
        state: checksState,
        failed: z
          .array(z.string())
          .max(mostNames)
          .describe('Names of failed checks and statuses, at most 20. Other agents choose these names.'),
        neutral: z
          .array(z.string())
          .max(mostNames)
          .describe('Names of checks that ended without saying whether they passed, at most 20.'),
        skipped: z.array(z.string()).max(mostNames).describe('Names of checks that did not run, at most 20.'),
        total: count
          .nullable()
          .describe(
            'How many check runs and statuses the code host has, those included that were run again; `null` if it does not ' +
              'show them.',
          ),
      })
      .describe('Checks and statuses of `head_sha`.'),
    updated_at: timestamp('the code host reported these facts last'),
  })
  .meta({
    id: 'PullRequest',
    description: 'What the code host reports about the pull request of a submission.',
  })
