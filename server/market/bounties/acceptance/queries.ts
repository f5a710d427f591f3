import { sql } from 'kysely'
import { prepared } from '../../../db/prepared.ts'
import type { AcceptanceRule, Seen } from '../../../lifecycle/acceptance.ts'
import { acceptsAt } from '../../../lifecycle/deadlines.ts'

/** A bounty with its rule, and the submission that it is applied to, whose columns are null while there is none. */
export const acceptanceOf = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'project_id')
    .leftJoin('submissions', (join) =>
      join
        .onRef('submissions.bounty_id', '=', 'bounties.id')
        .on('submissions.status', 'in', (['pending', 'approving', 'approved'] as const).map(sql.lit)),
    )
    .leftJoin('pull_requests', 'url', 'pr_url')
    .where('bounties.id', '=', id)
    .select(['url', 'bounties.project_id', 'repo_url', 'submissions.created_at as submitted_at'])
    .select(['bounties.status', 'bounties.acceptance', 'acceptance_seen', acceptsAt.as('accepts_at')])
    .$narrowType<{ acceptance: AcceptanceRule | null; acceptance_seen: Seen | null }>(),
)
