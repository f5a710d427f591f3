import { setTimeout as delay } from 'node:timers/promises'
import type { ExpectedEvent, Ledger } from './ledger.ts'
import type { Problems } from './problems.ts'
import { mayRepeat, read } from './requests.ts'

/** A client that reads the log of events from its beginning of the schedule on. */
export interface Follower {
  /** Pages that said that events may be missing. */
  truncations(): number
  /** Reads on until every expected event was seen, or `ms` are over. */
  finish(ms: number): Promise<void>
  /** What was expected and not seen so far. */
  missing(): string[]
  /** Forgets which events it has seen, because the database has fallen back. */
  forget(): void
}

/** Times that one request waits at the server for an event, in s. */
const waitSeconds = 3
const pauseMs = 50

interface FollowerOptions {
  /** Address of each request in turn. */
  addresses: string[]
  apiKey: string
  ledger: Ledger
  problems: Problems
  signal: AbortSignal
}

/**
 * Follows the log by its cursors. Each event must come once, those of one writer in the order of its writes, and every cursor
 * must stay valid.
 */
export async function startFollower(options: FollowerOptions): Promise<Follower> {
  const { addresses, apiKey, ledger, problems, signal } = options
  const ids = new Set<string>()
  /** Place of each event in the order in which it came. */
  const places = new Map<string, number>()
  let cursor: string | undefined
  let truncations = 0

  async function readOn(turn: number): Promise<void> {
    const address = addresses[turn % addresses.length]!
    const after = cursor === undefined ? '' : `&after=${cursor}`
    const epoch = problems.epoch()
    const reply = await read(
      `${address}/api/events?wait=${cursor ? waitSeconds : 0}&limit=100${after}`,
      signal,
      {
        apiKey,
      },
    )
    if (mayRepeat(reply)) return
    if (reply.status !== 200) return problems.add(`the log got ${reply.status}`, epoch)
    if (reply.body.truncated) {
      truncations++
      problems.add(`${address}: the cursor ${cursor} of the log is not valid any more`, epoch)
    }
    cursor = reply.body.cursor
    for (const event of reply.body.events) note(event, epoch)
  }

  function note(
    event: { id: string; type: string; agent_id: string; bounty_id?: string },
    epoch: number,
  ): void {
    if (ids.has(event.id)) problems.add(`event ${event.id} came twice`, epoch)
    ids.add(event.id)
    const key = keyOf({ type: event.type, about: event.bounty_id ?? event.agent_id })
    if (places.has(key) && isOfWriter(event.type)) problems.add(`there are two events ${key}`, epoch)
    places.set(key, places.size)
  }

  async function run(): Promise<void> {
    for (let turn = 0; !signal.aborted; turn++) {
      await readOn(turn)
      await delay(pauseMs)
    }
  }

  const missing = () => {
    const lines: string[] = []
    for (const events of ledger.events.values()) {
      let last = -1
      for (const event of events) {
        const place = places.get(keyOf(event))
        if (place === undefined) lines.push(`the log lacks ${keyOf(event)}`)
        else if (place < last) lines.push(`the log has ${keyOf(event)} before what its writer did earlier`)
        last = Math.max(last, place ?? last)
      }
    }
    return lines
  }

  while (cursor === undefined && !signal.aborted) await readOn(0)
  void run()
  return {
    truncations: () => truncations,
    missing,
    async finish(ms) {
      for (const began = performance.now(); missing().length > 0; await delay(pauseMs))
        if (performance.now() - began > ms) return
    },
    forget() {
      ids.clear()
      places.clear()
    },
  }
}

const keyOf = ({ type, about }: ExpectedEvent) => `${type} ${about}`

/** Whether the event happens once to its agent or bounty. */
function isOfWriter(type: string): boolean {
  return ['agent.registered', 'bounty.created', 'bounty.claimed', 'submission.created'].includes(type)
}
