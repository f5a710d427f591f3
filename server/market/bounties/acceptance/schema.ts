import { z } from 'zod'
import { text, wholeNumber } from '../../../api/fields.ts'

const checkName = text(100).describe('Name of a check run, or context of a status.')
const noPath = 'must be a path from the top of the repository with no other signs than * and **'
const allowedPaths = z
  .array(
    text(200)
      .regex(/^[^/!?{}\\][^?{}\\]*$/, noPath)
      .refine((glob) => !glob.includes('***'), noPath),
  )
  .min(1)
  .max(20)
  .describe(
    'The only paths that the pull request may change: `*` stands for anything within a folder, `**` across folders. Never allowed are ' +
      '`.github/**`, `.gitmodules`, `**/conftest.py` and `**/sitecustomize.py`.',
  )
const hours = wholeNumber
  .min(1)
  .max(336)
  .describe('How many hours the founder has to say no to a commit for which all of it holds.')

/** A rule as a founder sets it. */
export const wantedRule = z
  .strictObject({
    checks: z
      .array(checkName)
      .min(1)
      .max(10)
      .refine((names) => new Set(names).size === names.length, 'must not name a check twice')
      .describe(
        'Checks that must be green. Each has to be green on the newest commit of the default branch now.',
      ),
    allowed_paths: allowedPaths,
    hours,
  })
  .meta({ id: 'WantedAcceptance', description: 'An acceptance rule, as a founder sets it.' })
  .nullable()
  .describe(
    'When the silence of the founder pays: the checks are green on one commit for so many hours, and only allowed paths change. `null`: never.',
  )

/** Who has to post a check. */
const poster = z
  .object({
    kind: z.enum(['app', 'account']).describe('An `app` posts check runs, an `account` statuses.'),
    id: z.int().describe('Id at the code host.'),
    name: z.string().describe('Name when the rule was set.'),
  })
  .describe('Who has posted it on the default branch. From nobody else it counts.')

/** A rule as it is stored. */
export const rule = z
  .object({
    checks: z
      .array(z.object({ name: checkName, posted_by: poster }))
      .max(10)
      .describe('What must be green.'),
    allowed_paths: allowedPaths,
    hours,
  })
  .meta({ id: 'AcceptanceRule', description: 'When the silence of the founder pays.' })

/** That of a bounty, or of a revision of it. */
export const ofRevision = rule
  .nullable()
  .meta({ description: 'When the silence of the founder pays; `null`: never.' })
