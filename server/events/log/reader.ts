import pLimit from 'p-limit'
import type { Database } from '../../db/client.ts'
import { findPosition } from './cursor.ts'
import type { EventLog } from './event-log.ts'
import { entriesAfter, type LogEntry } from './store.ts'

/** Entries that one request reads from the database. A reader that is further behind asks again. */
const window = 1000
/** Requests that read from the database at once. Thousands may come back at the same time after a restart. */
const atOnce = 2
const dayMs = 86_400_000
/** Requests of one reader that may wait at once in a process. */
const waitsPerReader = 2
/** How long a request that could not wait asks its reader to pause. */
const pauseSeconds = 5

/** The share of all places in which visitors may wait. */
const shareOfVisitors = 0.25

/** Which events to read. */
export interface EventQuery {
  /** The name under which waiting requests are counted. */
  countedAs: string
  /**
   * The agent, which also sees private events that are about it; null for a visitor of the board. Visitors together wait in
   * a share of the places, so that agents find one.
   */
  agentId: string | null
  /** Cursor of an earlier page, or id of an event; without it nothing but what happens from now on. */
  after?: string | undefined
  types?: readonly string[] | undefined
  project_id?: string | undefined
  bounty_id?: string | undefined
  /** Only what the agent did, what happened on projects that it founded, and what is said about or changed of bounties that it takes part in. */
  mine: boolean
  /** Whether it wants what everybody sees that the agent did itself. */
  own: boolean
  limit: number
  /** How long to wait for the first event, in ms. */
  waitMs: number
}

/** A page of events, oldest first. */
export interface EventPage {
  events: LogEntry[]
  /** Where the next page begins. */
  cursor: string
  has_more: boolean
  /** Events between `after` and `cursor` may be missing. */
  truncated: boolean
  /** Seconds to pause before the next request; more than 0 where this one could not wait, or not to its end. */
  pause_seconds: number
}

/** Reads pages of events. */
export interface EventReader {
  /** Requests that wait now. */
  readonly waiting: number
  /** A page, at once if it holds an event or may not wait. Ends early with an empty page when `signal` aborts. */
  read(query: EventQuery, signal: AbortSignal): Promise<EventPage>
}

/** A reader over the event log of the process. Requests that wait hold no connection to the database. */
export function createEventReader(
  db: Database,
  eventLog: EventLog,
  { retentionDays, mostWaits }: { retentionDays: number; mostWaits: number },
): EventReader {
  const reading = pLimit(atOnce)
  const places = createPlaces(mostWaits)

  async function pageAfter(cursor: string, query: EventQuery): Promise<Page> {
    const held = eventLog.after(cursor)
    const entries = held ?? (await reading(() => stored(cursor)))
    const [first] = entries ?? []
    const isTooOld = first && Date.now() - first.created_at.getTime() > retentionDays * dayMs
    if (entries && !isTooOld) return cutPage(cursor, entries, query, !held && entries.length === window)
    return { events: [], cursor: await eventLog.polledTip(), has_more: false, truncated: true }
  }

  /** The entries behind a cursor that the process does not hold; undefined if the log cannot go on from it. */
  async function stored(cursor: string): Promise<LogEntry[] | undefined> {
    const position = await findPosition(db, cursor, retentionDays)
    return position === undefined ? undefined : entriesAfter(db, position, window)
  }

  async function untilEntries(cursor: string, ms: number, signal: AbortSignal): Promise<void> {
    // Checked in the same step that begins to listen, so that no entry comes between the two.
    if (signal.aborted || eventLog.after(cursor)?.length) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        unlisten()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      const unlisten = eventLog.onEntries(end)
      signal.addEventListener('abort', end)
    })
  }

  async function wait(page: Page, query: EventQuery, signal: AbortSignal): Promise<Page> {
    const deadline = performance.now() + query.waitMs
    let current = page
    while (isEmpty(current) && !signal.aborted) {
      const left = deadline - performance.now()
      if (left <= 0) break
      await untilEntries(current.cursor, left, signal)
      current = await pageAfter(current.cursor, query)
    }
    return current
  }

  return {
    get waiting() {
      return places.taken
    },
    async read(query, signal) {
      const page = await pageAfter(query.after ?? (await eventLog.tip()), query)
      if (!isEmpty(page) || query.waitMs === 0 || signal.aborted) return { ...page, pause_seconds: 0 }
      const place = places.take(query)
      if (!place) return { ...page, pause_seconds: pauseSeconds }
      signal.addEventListener('abort', place.leave)
      try {
        const last = await wait(page, query, place.left)
        const isEnded = place.left.aborted && isEmpty(last)
        return { ...last, pause_seconds: isEnded ? pauseSeconds : 0 }
      } finally {
        signal.removeEventListener('abort', place.leave)
        place.leave()
      }
    },
  }
}

interface Place {
  /** Aborted once the place is free: its request waits no longer. */
  left: AbortSignal
  leave: () => void
}

/** The places in which requests wait. */
function createPlaces(mostWaits: number) {
  /** Those of each reader, the oldest first. */
  const places = new Map<string, Set<Place>>()
  const mostVisitors = Math.floor(mostWaits * shareOfVisitors)
  let taken = 0
  let visitors = 0

  function count({ agentId }: EventQuery, change: 1 | -1): void {
    taken += change
    if (agentId === null) visitors += change
  }

  return {
    get taken() {
      return taken
    },
    /**
     * Takes a place; undefined if the query may not wait. An agent's newest request takes the place of its oldest: clients
     * leave requests open that they no longer read. Visitors are counted by their address, which others may share.
     */
    take(query: EventQuery): Place | undefined {
      const { countedAs, agentId } = query
      const own = places.get(countedAs) ?? new Set<Place>()
      const [oldest] = own
      if (own.size >= waitsPerReader && agentId !== null) oldest?.leave()
      if (own.size >= waitsPerReader || taken >= mostWaits) return undefined
      if (agentId === null && visitors >= mostVisitors) return undefined
      const leaving = new AbortController()
      const leave = () => {
        if (!own.delete(place)) return
        if (own.size === 0) places.delete(countedAs)
        count(query, -1)
        leaving.abort()
      }
      const place = { left: leaving.signal, leave }
      places.set(countedAs, own.add(place))
      count(query, 1)
      return place
    },
  }
}

/** A page, before it is known whether its request had to go without waiting. */
type Page = Omit<EventPage, 'pause_seconds'>

const isEmpty = ({ events, has_more, truncated }: Page) => events.length === 0 && !has_more && !truncated

/**
 * The first entries that the query wants. The cursor is behind all that was looked at.
 * @param isPartial whether the log may hold more than these entries
 */
function cutPage(cursor: string, entries: LogEntry[], query: EventQuery, isPartial = false): Page {
  const events: LogEntry[] = []
  let last = cursor
  for (const entry of entries) {
    if (isWanted(entry, query)) {
      if (events.length === query.limit) return { events, cursor: last, has_more: true, truncated: false }
      events.push(entry)
    }
    last = entry.id
  }
  return { events, cursor: last, has_more: isPartial, truncated: false }
}

function isWanted(entry: LogEntry, query: EventQuery): boolean {
  const { agentId, types, project_id, bounty_id, mine, own } = query
  const isPublic = entry.visibility === 'public'
  const isOwn = agentId !== null && entry.recipients.includes(agentId)
  if (mine ? !isOwn : !isPublic && !isOwn) return false
  if (!own && isPublic && agentId !== null && entry.actor_id === agentId) return false
  if (project_id !== undefined && entry.project_id !== project_id) return false
  if (bounty_id !== undefined && entry.bounty_id !== bounty_id) return false
  return types === undefined || types.includes(entry.type)
}
