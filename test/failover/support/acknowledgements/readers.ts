import { setTimeout as delay } from 'node:timers/promises'
import { type AcknowledgedBounty, bountyStates, type Counts, type Ledger } from './ledger.ts'
import type { Problems } from './problems.ts'
import { mayRepeat, type Reply, read } from './requests.ts'

/** What a reader needs. */
export interface ReaderOptions {
  /** Addresses of the servers themselves, and the one in front of them: the responses of all have to be true. */
  addresses: string[]
  projectId: string
  ledger: Ledger
  problems: Problems
  /** Figures of the marketplace before the writers began. */
  base(): Counts
  /** Called with each response that was compared. */
  onRead(isNotModified: boolean): void
  signal: AbortSignal
}

/** Responses that a client keeps, by address: with `If-None-Match` one of them may be confirmed. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
type Kept = Map<string, { etag: string; body: any }>

const pauseMs = 40
/** Newest bounties among which a reader picks; a list of a hundred has room for those that come meanwhile. */
const newest = 20

/** Reads all the time what anybody can read, from each address in turn, and compares it with what was acknowledged. */
export async function runReader(options: ReaderOptions): Promise<void> {
  const { addresses, ledger, signal } = options
  const kept: Kept = new Map()
  for (let round = 0; !signal.aborted; round++) {
    const address = addresses[round % addresses.length]!
    const recent = [...ledger.bounties.values()].slice(-newest)
    const [oldest] = recent
    if (round % 5 === 0) await readStatistics(options, kept, address)
    else if (round % 5 === 1) await readList(options, kept, address)
    else if (oldest)
      await readBounty(options, kept, address, recent[(round * 7) % recent.length] as typeof oldest)
    await delay(pauseMs)
  }
}

/** Reads a bounty from each server until it responds: what was acknowledged has to be there at once. */
export async function readBackFrom(
  options: ReaderOptions,
  addresses: string[],
  bountyId: string,
): Promise<void> {
  const bounty = options.ledger.bounties.get(bountyId)
  if (!bounty) return
  await Promise.all(
    addresses.map(async (address) => {
      const kept: Kept = new Map()
      for (let isRead = false; !isRead && !options.signal.aborted; ) {
        isRead = await readBounty(options, kept, address, bounty)
        if (!isRead) await delay(pauseMs)
      }
    }),
  )
}

/** Whether there was a response to compare. */
async function readBounty(
  options: ReaderOptions,
  kept: Kept,
  address: string,
  bounty: AcknowledgedBounty,
): Promise<boolean> {
  const { problems } = options
  const epoch = problems.epoch()
  const { id, state } = { ...bounty }
  const reply = await readKept(options, kept, address, `/api/bounties/${id}`)
  if (!reply) return false
  if (reply.status !== 200) problems.add(`${address}: bounty ${id} got ${reply.status}`, epoch)
  else if (stateOf(reply.body.bounty) < state)
    problems.add(
      `${address}: bounty ${id} was ${bountyStates[state]} and is read ${reply.body.bounty.status}`,
      epoch,
    )
  return true
}

async function readList(options: ReaderOptions, kept: Kept, address: string): Promise<void> {
  const { problems, projectId, ledger } = options
  const epoch = problems.epoch()
  const known = [...ledger.bounties.values()].slice(-newest).map((bounty) => ({ ...bounty }))
  const reply = await readKept(options, kept, address, `/api/bounties?project_id=${projectId}&limit=100`)
  if (!reply) return
  if (reply.status !== 200) return problems.add(`${address}: the list of bounties got ${reply.status}`, epoch)
  const listed = new Map<string, { status: string }>(
    reply.body.bounties.map((bounty: { id: string; status: string }) => [bounty.id, bounty]),
  )
  for (const { id, state } of known) {
    const found = listed.get(id)
    if (!found || stateOf(found) < state)
      problems.add(
        `${address}: the list has bounty ${id} as ${found?.status}, not ${bountyStates[state]}`,
        epoch,
      )
  }
}

async function readStatistics(options: ReaderOptions, kept: Kept, address: string): Promise<void> {
  const { problems, ledger, base } = options
  const epoch = problems.epoch()
  const known = ledger.counts()
  const before = base()
  const reply = await readKept(options, kept, address, '/api/dashboard/stats')
  if (!reply) return
  if (reply.status !== 200) return problems.add(`${address}: the statistics got ${reply.status}`, epoch)
  const now = countsIn(reply.body)
  for (const name of ['agents', 'bounties', 'submissions'] as const)
    if (now[name] < before[name] + known[name])
      problems.add(
        `${address}: the statistics know ${now[name]} ${name}, not ${before[name] + known[name]}`,
        epoch,
      )
}

/** The figures in a response of `GET /api/dashboard/stats`. */
export function countsIn(body: {
  stats: { agents: number; bounties: Record<string, number>; submissions: number }
}): Counts {
  const { agents, bounties, submissions } = body.stats
  return { agents, submissions, bounties: Object.values(bounties).reduce((sum, count) => sum + count, 0) }
}

/** A response of the service, also one that was kept and is confirmed; undefined where there was none. */
async function readKept(
  { signal, onRead }: ReaderOptions,
  kept: Kept,
  address: string,
  path: string,
): Promise<Reply | undefined> {
  const known = kept.get(path)
  const reply = await read(address + path, signal, { etag: known?.etag })
  if (mayRepeat(reply)) return undefined
  onRead(reply.status === 304)
  if (reply.status === 304 && known) return { ...reply, status: 200, body: known.body }
  if (reply.status === 200 && reply.etag) kept.set(path, { etag: reply.etag, body: reply.body })
  return reply
}

/** Position of a bounty's state; work that was paid is later than all. */
function stateOf({ status }: { status: string }): number {
  const state = bountyStates.indexOf(status as (typeof bountyStates)[number])
  return state < 0 ? bountyStates.length : state
}
