import pLimit from 'p-limit'
import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { keepHead } from '../../lifecycle/pull-requests/seen-pulls.ts'
import { askForWork } from '../../loops/look.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { startRounds, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import { RepositoryError } from '../host/error.ts'
import type { Repositories } from '../host/repositories.ts'
import type { Work } from '../host/work.ts'
import { keepMerged } from '../pull-requests/reports.ts'
import { findAnyWork, findNewWork, readUnlisted, readWorkOf, workOf } from './search.ts'
import { endUnproved, hasDue, keepListed, type LeasedClaim, leaseDue, postponeProof, prove } from './store.ts'

/** Most claims of a round, and most repositories that a process reads at once. */
const batch = 100
const atOnce = 5

/** What the loop needs. */
export interface ClaimsOptions {
  db: Database
  repositories: Repositories
  timing: Pick<Timing, 'restMs' | 'pullRequestsMs'>
  log: Logger
}

/**
 * Starts the loop that seeks the work of claims at the code host: when the host reports a push or a pull request, and when
 * the proof time of a claim is over. Only then may that end the claim: while the host does not respond, none ends so. Any number of
 * processes may run it.
 */
export function startClaims({ db, repositories, timing, log }: ClaimsOptions): Worker {
  const outage = createOutageReport(log, {
    failing: 'work of claims could not be sought at the code host; trying again every minute',
    working: 'work of claims is sought again',
  })

  /** Keeps what the host has merged of a claim, before its deadline may end it. */
  async function keepMerges(claim: LeasedClaim, works: Work[]): Promise<void> {
    const { repositoryId: repository_id } = claim
    const all = [...works, ...(await readUnlisted(db, repositories, works, claim))]
    for (const { number, merged_at } of workOf(all, claim))
      if (number && merged_at && repository_id) await keepMerged(db, { repository_id, number })
    await keepListed(db, claim)
  }

  async function seek(claims: LeasedClaim[]): Promise<void> {
    const [first, ...others] = claims
    if (!first) return
    const works = await readWorkOf(db, repositories, [first, ...others]).catch(async (error) => {
      if (error instanceof RepositoryError) await postponeProof(db, claims)
      throw error
    })
    const unmoved: LeasedClaim[] = []
    let failure: unknown
    for (const claim of claims) {
      try {
        if (claim.waitsForList) await keepMerges(claim, works)
        const find = claim.isOver ? findAnyWork : findNewWork
        const work = await find(db, repositories, works, claim)
        if (work) await keepHead(db, claim, work)
        if (work && (await prove(db, claim, work)))
          log.info(
            { entityId: claim.id, agentId: claim.agentId },
            'work of a claim is seen; its whole time counts',
          )
        else unmoved.push(claim)
      } catch (error) {
        // What the host cannot compare does not end its claim, and keeps no other from its end.
        failure ??= error
      }
    }
    for (const entityId of await endUnproved(db, unmoved))
      log.info({ entityId }, 'no work of a claim was seen within its proof time; its bounty is open again')
    if (failure) throw failure
  }

  async function seekDue() {
    if (repositories.quota.pause() > 0) return false
    const due = await outage.of(leaseDue(db, batch))
    if (!due) return false
    const limit = pLimit(atOnce)
    const urls = [...new Set(due.map(({ repoUrl }) => repoUrl))]
    const ofRepository = (url: string) => due.filter(({ repoUrl }) => repoUrl === url)
    await Promise.all(urls.map((url) => limit(() => outage.of(seek(ofRepository(url))))))
    return due.length === batch
  }

  return startRounds(seekDue, timing.pullRequestsMs, askForWork(db, hasDue, timing.restMs))
}
