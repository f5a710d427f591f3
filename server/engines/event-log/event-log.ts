import type { Logger } from 'pino'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import type { Database } from '../../db/client.ts'
import { startRounds } from '../rounds.ts'
import type { Timing } from '../timing.ts'
import type { Worker } from '../transactions/worker.ts'
import { beginning, type Place } from './cursor.ts'
import { sequenceEntries } from './sequence.ts'
import { type LogEntry, pollLog } from './store.ts'

/** Entries that one statement numbers or reads. */
const batch = 1000
/** Entries that a process keeps, so that requests that follow the log closely cost the database nothing. */
const kept = 5000

/** The newest entries of the log, as far as this process has read it. */
export interface EventLog {
  /** The newest place; waits for the first poll. */
  tip(): Promise<Place>
  /** The entries after `place`; undefined if this process does not hold all of them. */
  after(place: Place): LogEntry[] | undefined
  /** Calls `listener` after each poll that found new entries. Returns the function that ends that. */
  onEntries(listener: () => void): () => void
  /** Starts the loop that polls the log. */
  start(): Worker
}

/** What the event log needs. */
export interface EventLogOptions {
  db: Database
  timing: Pick<Timing, 'eventsMs'>
  log: Logger
  /** Called when a webhook has deliveries that are due. */
  onDueWebhook(): void
}

/**
 * The end of the log in memory. One loop in each process polls it with one statement, numbers entries that were
 * committed since, and wakes all requests that wait.
 */
export function createEventLog({ db, timing, log, onDueWebhook }: EventLogOptions): EventLog {
  const listeners = new Set<() => void>()
  let entries: LogEntry[] = []
  let isLoaded = false
  let isFailing = false
  let polling: Promise<boolean> | undefined

  const newest = (): Place => entries.at(-1) ?? beginning

  /** Polls once, for all who ask meanwhile. Returns whether there is more to do at once. */
  function poll(): Promise<boolean> {
    polling ??= pollOnce().finally(() => {
      polling = undefined
    })
    return polling
  }

  async function pollOnce(): Promise<boolean> {
    const place = isLoaded ? newest() : undefined
    const polled = await pollLog(db, place, batch)
    if (polled.hasDueWebhook) onDueWebhook()
    const isMore = keep(polled.entries, place)
    if (polled.hasUnsequenced) return (await sequenceEntries(db, batch)) > 0
    return isMore
  }

  /** Keeps what was read from `place` on. Returns whether there may be more. */
  function keep(read: LogEntry[], place: Place | undefined): boolean {
    const isInside = place !== undefined && place.position > 0
    isLoaded = !isInside || read[0]?.id === place.id
    if (!isLoaded) {
      log.warn({ position: place?.position }, 'the database fell back: the event log is read anew')
      entries = []
      return true
    }
    const found = isInside ? read.slice(1) : read
    entries.push(...found)
    if (entries.length > 2 * kept) entries = entries.slice(-kept)
    if (found.length > 0) for (const listener of [...listeners]) listener()
    return found.length >= batch
  }

  async function round(isStopped: () => boolean): Promise<void> {
    try {
      while ((await poll()) && !isStopped());
      if (isFailing) log.info('the event log is read again')
      isFailing = false
    } catch (error) {
      if (!isFailing)
        log.warn({ reason: nodeErrorText(error) }, 'the event log could not be read; trying again')
      isFailing = true
    }
  }

  return {
    async tip() {
      while (!isLoaded) await poll()
      return newest()
    },
    after({ position, id }) {
      const start = entries[0]?.position ?? 1
      if (position === 0) return start === 1 ? [...entries] : undefined
      return entries[position - start]?.id === id ? entries.slice(position - start + 1) : undefined
    },
    onEntries(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: () => startRounds(round, timing.eventsMs),
  }
}
