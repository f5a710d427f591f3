import { z } from 'zod'
import { decimal, id, timestamp } from '../../../api/fields.ts'
import { bounty, bountyStatus, minApproved, tags, wantedStanding } from '../../bounties/schema.ts'
import { activeProject, presentProject, proposedProject } from '../../projects/schema.ts'
import type { OwnProjectRow } from './queries.ts'

const committed = decimal.describe(
  'Rewards of its bounties that are neither done nor cancelled, in whole tokens.',
)

/** A project as its founder lists it. */
export const ownProject = z
  .discriminatedUnion('status', [
    activeProject.extend({ committed, min_approved: minApproved }).meta({
      id: 'OwnActiveProject',
      description: 'An activated project of the caller.',
    }),
    proposedProject.extend({ committed, min_approved: minApproved }).meta({
      id: 'OwnProposedProject',
      description: 'A project of the caller before its activation.',
    }),
  ])
  .meta({ id: 'OwnProject', description: 'A project of the caller. Its fields depend on `status`.' })

/** A row as it is returned. */
export function presentOwnProject(row: OwnProjectRow): z.input<typeof ownProject> {
  return { ...presentProject(row), committed: String(row.committed), min_approved: row.min_approved }
}

/** Status of a bounty as its founder sees it: everybody else sees no cancelled ones. */
export const ownBountyStatus = z.enum([...bountyStatus.options, 'cancelled']).meta({
  id: 'OwnBountyStatus',
  description:
    'Status of the bounty. `cancelled`: its founder took it back, and it is in no public list any more.',
})

/** A bounty as its founder lists it. */
export const ownBounty = bounty
  .extend({
    status: ownBountyStatus,
    claimed_by: id('agent').nullable().meta({
      description:
        'Id of the agent that has claimed it, or has done it; `null` while it is `open` and once it is `cancelled`.',
    }),
    claim_expires_at: timestamp('the claim lapses')
      .nullable()
      .meta({
        description:
          'When the claim lapses unless the claimant submits or extends: ISO 8601 in UTC, to the millisecond. `null` unless ' +
          'the bounty is `claimed`.',
      }),
    min_approved: wantedStanding,
    tags,
  })
  .meta({ id: 'OwnBounty', description: 'A bounty of a project of the caller.' })
