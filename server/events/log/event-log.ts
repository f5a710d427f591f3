import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { askForWork } from '../../loops/look.ts'
import { createOutageReport } from '../../loops/outage-report.ts'
import { startRounds, type Worker } from '../../loops/rounds.ts'
import type { Timing } from '../../loops/timing.ts'
import { beginning } from './cursor.ts'
import { sequenceEntries } from './sequence.ts'
import { hasNews, type LogEntry, pollLog } from './store.ts'

/** Entries that one statement numbers or reads. */
const batch = 1000
/** Entries that a process keeps, so that requests that follow the log closely cost the database nothing. */
const kept = 5000

/** The newest entries of the log, as far as this process has read it. */
export interface EventLog {
  /** The cursor behind the newest entry; waits for the first poll. */
  tip(): Promise<string>
  /** The same as of a poll that begins after this call: a database that fell back does not know what is in memory. */
  polledTip(): Promise<string>
  /** The entries behind a cursor; undefined if this process does not hold all of them. */
  after(cursor: string): LogEntry[] | undefined
  /** Calls `listener` after each poll that found new entries. Returns the function that ends that. */
  onEntries(listener: () => void): () => void
  /** Starts the loop that polls the log. */
  start(): Worker
}

/** What the event log needs. */
export interface EventLogOptions {
  db: Database
  timing: Pick<Timing, 'restMs' | 'eventsMs'>
  log: Logger
}

/**
 * The end of the log in memory. One loop in each process polls it with one statement, numbers entries that were
 * committed since, and wakes all requests that wait.
 */
export function createEventLog({ db, timing, log }: EventLogOptions): EventLog {
  const outage = createOutageReport(log, {
    failing: 'the event log could not be read; trying again',
    working: 'the event log is read again',
  })
  const listeners = new Set<() => void>()
  const held = createHeldEntries(log)
  let polling: Promise<boolean> | undefined

  /** Polls once, for all who ask meanwhile. Returns whether there is more to do at once. */
  function poll(): Promise<boolean> {
    polling ??= pollOnce().finally(() => {
      polling = undefined
    })
    return polling
  }

  /** Under a steady load it numbers what has come since the last poll, and no more. */
  async function pollOnce(): Promise<boolean> {
    const { hasUnsequenced, isMore } = await readOn()
    if (!hasUnsequenced) return isMore
    const numbered = await sequenceEntries(db, batch)
    await readOn()
    return numbered === batch
  }

  async function readOn() {
    const newest = held.newest()
    const polled = await pollLog(db, held.isLoaded() ? (newest?.position ?? 0) : undefined, batch)
    const added = held.keep(polled.entries, newest)
    if (added) for (const listener of [...listeners]) listener()
    return { hasUnsequenced: polled.hasUnsequenced, isMore: added === undefined || added >= batch }
  }

  async function tip(): Promise<string> {
    while (!held.isLoaded()) await poll()
    return held.newest()?.id ?? beginning
  }

  return {
    tip,
    async polledTip() {
      await polling?.catch(() => undefined)
      await poll()
      return tip()
    },
    after: held.after,
    onEntries(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start() {
      const isDue = askForWork(db, () => hasNews(held.newest()?.id), timing.restMs)
      return startRounds(() => outage.of(poll()), timing.eventsMs, isDue)
    },
  }
}

/** The newest entries in the memory of this process. */
function createHeldEntries(log: Logger) {
  let entries: LogEntry[] = []
  /** Positions of the entries, by id. */
  let positions = new Map<string, number>()
  let isLoaded = false

  return {
    isLoaded: () => isLoaded,
    newest: () => entries.at(-1),

    /**
     * Keeps what was read, from the newest known entry `tip` on. Returns how many entries were new; undefined if the
     * database fell back, so that the log has to be read anew.
     */
    keep(read: LogEntry[], tip: LogEntry | undefined): number | undefined {
      isLoaded = tip === undefined || read[0]?.id === tip.id
      if (!isLoaded) {
        log.warn({ position: tip?.position }, 'the database fell back: the event log is read anew')
        entries = []
        positions = new Map()
        return undefined
      }
      const found = tip ? read.slice(1) : read
      for (const entry of found) positions.set(entry.id, entry.position)
      entries.push(...found)
      for (const { id } of entries.length > 2 * kept ? entries.splice(0, entries.length - kept) : [])
        positions.delete(id)
      return found.length
    },

    after(cursor: string): LogEntry[] | undefined {
      if (!isLoaded) return undefined
      const first = entries[0]?.position ?? 1
      const position = cursor === beginning ? 0 : positions.get(cursor)
      return position === undefined || position < first - 1 ? undefined : entries.slice(position - first + 1)
    },
  }
}
