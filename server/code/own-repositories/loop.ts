import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { askForWork } from '../../loops/look.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { startRounds, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import { parseRepositoryUrl } from '../host/pull-request-url.ts'
import type { Repositories } from '../host/repositories.ts'
import { hasDue, keepLook, leaseDue } from './store.ts'

/** How many repositories one process looks at at once. */
const atOnce = 5
/** Without these nobody can work in a repository. The file that proved it may be gone. */
const needed = ['not_installed', 'not_public', 'archived', 'blocked']

/**
 * Starts the loop that looks each hour, and when the code host reports something, whether founders' own repositories of active projects are
 * still there. Any number of processes may run it.
 */
export function startOwnRepositories(options: {
  db: Database
  repositories: Repositories
  timing: Pick<Timing, 'restMs' | 'pullRequestsMs'>
  log: Logger
}): Worker {
  const { db, repositories, timing, log } = options
  const outage = createOutageReport(log, {
    failing: 'repositories of founders could not be looked at; trying again every minute',
    working: 'repositories of founders are looked at again',
  })

  async function look(due: Awaited<ReturnType<typeof leaseDue>>[number]): Promise<void> {
    const { projectId, repoUrl, repositoryId, marker } = due
    const place = parseRepositoryUrl(repoUrl)
    if (!place) return
    const { id, defaultBranch, ...found } = await repositories.lookAt(place, projectId)
    const isOther = id !== undefined && id !== repositoryId
    const missing = isOther ? ['replaced'] : found.missing.filter((code) => needed.includes(code))
    const change = await keepLook(db, { projectId, missing, defaultBranch, marker })
    if (change) log.info({ entityId: projectId, missing }, `the project's own repository: ${change}`)
  }

  async function lookDue(): Promise<boolean> {
    if (!repositories.takesOwn) return false
    const due = await outage.of(leaseDue(db, atOnce))
    if (!due) return false
    await Promise.all(due.map((one) => outage.of(look(one))))
    return due.length === atOnce
  }

  return startRounds(lookDue, timing.pullRequestsMs, askForWork(db, hasDue, timing.restMs))
}
