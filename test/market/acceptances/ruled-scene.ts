import { sql } from 'kysely'
import type { HostRequest, HostResponse } from '../../support/code-host-proxy.ts'
import { beatHeart } from '../../support/deadlines.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createAcceptanceScene } from './support.ts'

export const app = { kind: 'app', id: 15_368, name: 'github-actions' }
export const rule = { checks: [{ name: 'test', posted_by: app }], allowed_paths: ['src/**'], hours: 72 }

/** What the host shows of every pull request. */
export interface Shown {
  files: object[]
  /** The files that it lists of the pull request itself. */
  listed: object[]
  suites: object[]
  statuses: object[]
  runs: Record<string, unknown>[]
  events: object[]
  /** In place of a response whose path has this in it. */
  instead: Record<string, (usual: HostResponse) => HostResponse>
}

/** A check run that is green. */
export const run = (members: object = {}) => ({
  id: 1,
  name: 'test',
  status: 'completed',
  conclusion: 'success',
  completed_at: '2026-11-01T00:00:00Z',
  app: { id: app.id, slug: app.name },
  ...members,
})

/** A host that shows check runs of an app, and does not always say what is true. The window is over as soon as a test says so. */
export async function createRuledScene() {
  const scene = await createAcceptanceScene()
  const { db, host, inReview, start, lookAgain } = scene
  const shown: Shown = { files: [], listed: [], suites: [], statuses: [], runs: [], events: [], instead: {} }

  function respond({ path }: HostRequest): HostResponse | undefined {
    const [, sha] = /\/commits\/([\w%]+)\/check-runs\?/.exec(path) ?? []
    const list = (body: unknown): HostResponse => {
      const usual = { status: 200, body }
      const [, change] = Object.entries(shown.instead).find(([part]) => path.includes(part)) ?? []
      return change?.(usual) ?? usual
    }
    const page = Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 1)
    const paged = <Row>(rows: Row[]) => rows.slice(100 * (page - 1), 100 * page)
    const runs = shown.runs.map((one) => ({ head_sha: sha?.includes('%') ? 'e'.repeat(40) : sha, ...one }))
    if (sha) return list({ total_count: runs.length, check_runs: paged(runs) })
    if (path.includes('/check-suites?'))
      return list({ total_count: shown.suites.length, check_suites: paged(shown.suites) })
    if (/\/pulls\/\d+\/files\?/.test(path)) return list(paged(shown.listed))
    if (path.includes('/statuses?')) return list(paged(shown.statuses))
    if (/\/issues\/\d+\/events/.test(path)) return list(paged(shown.events))
    // The first page alone has files, and only a rule asks for it.
    if (/\/compare\/.*[?&]per_page=1$/.test(path)) return list({ status: 'ahead', files: shown.files })
    return undefined
  }

  /** The host is well, and everything is green. */
  function reset(): void {
    const files = [{ filename: 'src/a.ts' }]
    const none = { statuses: [], suites: [], events: [], instead: {} }
    Object.assign(shown, { ...none, files, listed: files, runs: [run()] } satisfies Shown)
    host.respond = respond
  }

  /** A submission for a bounty with the rule. */
  async function ruled(members: Record<string, unknown> = {}, wanted = rule): Promise<SubmittedBounty> {
    const bounty = await inReview({ members: { mergeable: true, changed_files: 1, ...members } })
    await setRows(db, 'bounties', { id: bounty.id }, { acceptance: wanted })
    await lookAgain(bounty)
    return bounty
  }

  const seen = async ({ submissionId }: SubmittedBounty) => {
    const { rows } = await sql<{
      accepts_at: Date | null
      seen: { state: string; reason: string | null } | null
    }>`
      select accepts_at, acceptance_seen as seen from submissions where id = ${submissionId}`.execute(db)
    return rows[0]!
  }
  const isRunning = (bounty: SubmittedBounty) => until(async () => (await seen(bounty)).accepts_at !== null)

  /** The submission whose window runs, and what stops the loops. */
  async function running(): Promise<{ bounty: SubmittedBounty; stop: ReturnType<typeof start> }> {
    const bounty = await ruled()
    const stop = start()
    await isRunning(bounty)
    return { bounty, stop }
  }

  /** The window of the submission is over, and it is looked at. */
  async function endWindow(bounty: SubmittedBounty): Promise<void> {
    await beatHeart(db)
    await setRows(db, 'submissions', { id: bounty.submissionId }, { accepts_at: new Date(Date.now() - 1000) })
    await lookAgain(bounty)
  }

  /** The host is asked for the pull request so many times more. */
  async function looks(bounty: SubmittedBounty, times = 2): Promise<void> {
    const path = new URL(bounty.pr_url).pathname.replace('/pull/', '/pulls/')
    for (let time = 0; time < times; time++) {
      const before = host.requests.length
      await lookAgain(bounty)
      await until(() => host.requests.slice(before).some((request) => request.path.endsWith(path)))
    }
  }

  return { ...scene, shown, respond, reset, ruled, seen, isRunning, running, endWindow, looks }
}
