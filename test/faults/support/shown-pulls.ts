import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../server/db/client.ts'
import type { GitHubRequest, RequestFault } from '../../support/request-faults.ts'
import type { RuledSubmission } from './fixture.ts'
import type { Shown, ShownStatus } from './oracle/rules.ts'

/** What can happen to a pull request whose bounty has a rule. `foreign`: another account posts that the check is green. */
export type Move = 'green' | 'red' | 'pending' | 'foreign' | 'commit' | 'closed for a moment'

const stateOf = { green: 'success', foreign: 'success', red: 'failure', pending: 'pending' } as const

/**
 * The pull requests whose bounties have a rule, as the code host shows them: in the harness, so that it knows to the millisecond what was
 * shown when. Everything else about them, the embedded code host responds.
 */
export function createShownPulls(works: readonly RuledSubmission[], db: Database) {
  const newSha = () => randomBytes(20).toString('hex')
  const history = new Map<string, Shown[]>(
    works.map(({ id }) => [id, [{ since: Date.now(), sha: newSha(), statuses: [], closings: 0 }]]),
  )
  const shownOf = ({ id }: RuledSubmission) => history.get(id) ?? []
  const now = (work: RuledSubmission) => shownOf(work).at(-1) as Shown
  let statuses = 0

  /** The service hears of it, as from a webhook. */
  async function report({ id }: RuledSubmission): Promise<void> {
    await sql`update pull_requests set acceptance_due_at = now()
      from submissions where submissions.id = ${id} and pr_url = url and status = 'pending'`.execute(db)
  }

  return {
    shownOf,
    report,
    /** Something happens at the code host. */
    move(work: RuledSubmission, move: Move): void {
      const before = now(work)
      const next = { ...before, since: Date.now() }
      if (move === 'commit') next.sha = newSha()
      else if (move === 'closed for a moment') next.closings++
      else {
        const by = move === 'foreign' ? work.poster + 1 : work.poster
        const status: ShownStatus = { id: ++statuses, sha: before.sha, by, state: stateOf[move] }
        next.statuses = [...before.statuses, status]
      }
      history.get(work.id)?.push(next)
    },
    respond({ method, path }: GitHubRequest): RequestFault {
      const [place = ''] = path.split('?')
      const of = works.find((work) => place === work.path)
      if (method !== 'GET') return undefined
      if (of) return { status: 200, body: pullOf(of, now(of).sha) }
      const listed = works.find((work) => place === `${work.path.replace('/pulls/', '/issues/')}/events`)
      if (listed)
        return {
          status: 200,
          body: Array.from({ length: now(listed).closings }, (_, id) => ({ id: id + 1, event: 'reopened' })),
        }
      const [, sha] = /\/commits\/(\w+)\/statuses$/.exec(place) ?? []
      const work = works.find((one) => shownOf(one).some((shown) => shown.sha === sha))
      const posted = work && now(work).statuses.filter((status) => status.sha === sha)
      return posted && { status: 200, body: posted.map(statusBody).reverse() }
    },
  }
}

const statusBody = ({ id, by, state }: ShownStatus) => ({
  id,
  context: 'test',
  state,
  creator: { id: by, login: `account-${by}` },
})

function pullOf({ number, branch, repositoryId }: RuledSubmission, sha: string) {
  return {
    number,
    state: 'open',
    merged: false,
    merged_at: null,
    mergeable: true,
    head: { ref: branch, sha },
    user: { id: 7, login: 'ada' },
    base: { ref: 'main', repo: { id: repositoryId, default_branch: 'main' } },
    updated_at: new Date().toISOString(),
    additions: 1,
    deletions: 0,
    changed_files: 1,
  }
}
