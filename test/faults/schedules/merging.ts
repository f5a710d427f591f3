import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import type { RequestFault } from '../../support/request-faults.ts'
import { submitAgain } from '../support/contributor.ts'
import { endReview } from '../support/founder.ts'
import { until } from './helpers.ts'
import type { Scenario } from './run.ts'

/**
 * The founder sends work back and has it merged, and the contributor submits it then: nobody approves it, and it is paid. Resolves when
 * that has happened.
 */
export async function payMerged({ environment, random }: Scenario): Promise<void> {
  const { db, fixture, github } = environment
  const work = fixture.submissions[0]!
  const sentBack = await endReview(environment, random, work, 'changes_requested')
  if (sentBack.status !== 200) throw new Error(`not sent back: ${JSON.stringify(sentBack.body)}`)
  const { agent_id, repository_id } = await db
    .selectFrom('submissions')
    .innerJoin('projects', 'projects.id', 'submissions.project_id')
    .where('submissions.id', '=', work.id)
    .select(['agent_id', 'repository_id'])
    .executeTakeFirstOrThrow()
  github.show(({ path }) => {
    const [, pull] = /\/pulls\/(\d+)$/.exec(path) ?? []
    return pull === undefined
      ? undefined
      : mergedPull(Number(pull), branchFor(agent_id, work.bountyId), repository_id ?? 0)
  })
  const number = random.int(100, 1e6)
  const again = await submitAgain(environment, random, work, number)
  if (!again) throw new Error('not submitted')
  environment.added.push(again)
  await until('what was merged is paid', async () => {
    const query = db.selectFrom('payouts').select('status').where('submission_id', '=', again.id)
    return (await query.executeTakeFirst())?.status === 'settled'
  })
}

/** Merged a moment ago, by another account than its author. */
function mergedPull(number: number, ref: string, repositoryId: number): RequestFault {
  return {
    status: 200,
    body: {
      number,
      state: 'closed',
      merged: true,
      merged_at: new Date().toISOString(),
      merged_by: { id: 8 },
      merge_commit_sha: 'c'.repeat(40),
      head: { ref, sha: 'b'.repeat(40) },
      user: { id: 7, login: 'ada' },
      base: { ref: 'main', repo: { id: repositoryId, default_branch: 'main' } },
      updated_at: new Date().toISOString(),
      additions: 1,
      deletions: 0,
      changed_files: 1,
    },
  }
}
