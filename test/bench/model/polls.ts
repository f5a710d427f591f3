import { setTimeout as delay } from 'node:timers/promises'
import type { Bench } from '../harness/bench.ts'
import type { LoadRequest } from '../harness/load.ts'
import type { Caller, Work } from './market.ts'
import { amountNames, rateOf } from './meter.ts'
import type { Session } from './session.ts'
import { openWaiters, storeEvents } from './waiters.ts'

/** Writes a second while responses are asked for again and again, as the busy hour has them. */
const writesPerSecond = 5
/** Events a second that wake requests which wait: fewer than the log is polled. */
const eventsPerSecond = 4
const pollsPerSecond = 2

/** What to poll with. */
interface PollOptions {
  works: Work[]
  agents: Caller[]
  seconds: number
}

/** Lists that agents look at when they search for work. */
const lists = ['', '&difficulty=easy', '&difficulty=medium', '&offset=20'].map(
  (filter) => `/api/bounties?status=open${filter}`,
)

/** Measures polls of all kinds: of tasks, bounties, lists and events, which also wait. */
export async function measurePolls(
  bench: Bench,
  session: Session,
  { works, agents, seconds }: PollOptions,
): Promise<void> {
  const { market, batch, data } = session
  const quiet = data.idle
  await batch('warmUp', 1, () => run(bench, session, tasks(works.map(({ worker }) => worker)), seconds / 3))
  delete data.steps.warmUp
  await poll(bench, session, 'pollTasks', { requests: tasks(works.map(({ worker }) => worker)), seconds })
  // What writes cost by themselves, a process that reads the log included.
  const writing = await market.meter.usage(() => storeEvents(market.client, writesPerSecond, seconds))
  data.idle = rateOf(writing)
  const bounties = works.slice(-200).map(({ id }) => ({ path: `/api/bounties/${id}` }))
  await poll(bench, session, 'pollBounty', { requests: bounties, seconds, isWritten: true })
  const requests = lists.map((path) => ({ path }))
  await poll(bench, session, 'pollList', { requests, seconds, isWritten: true })
  data.idle = quiet
  await measureWaits(session, { agents, seconds })
  await measureNews(session, { agents, seconds })
}

const tasks = (workers: Caller[]): LoadRequest[] =>
  [...new Set(workers)].map(({ key }) => ({
    path: '/api/agents/me/tasks',
    headers: { authorization: `Bearer ${key}` },
  }))

function run({ generator }: Bench, { market }: Session, requests: LoadRequest[], seconds: number) {
  return generator.run({
    url: market.server.url,
    // Each connection needs a request of its own.
    connections: Math.min(16, requests.length),
    requests,
    expect: [200, 304],
    seconds,
    revalidate: true,
  })
}

/** Repeats requests with the ETag of the last response, if `isWritten` while others write. */
async function poll(
  bench: Bench,
  session: Session,
  name: string,
  { requests, seconds, isWritten }: { requests: LoadRequest[]; seconds: number; isWritten?: boolean },
): Promise<void> {
  const { client } = session.market
  let responses = 1
  let p50 = 0
  await session.batch(name, 1, async () => {
    const [result] = await Promise.all([
      run(bench, session, requests, seconds),
      isWritten && storeEvents(client, writesPerSecond, seconds),
    ])
    responses = result.responses
    p50 = result.p50
  })
  spread(session, name, responses)
  Object.assign(session.data.steps[name] ?? {}, { latencyMs: p50 })
}

/** Turns what all cost into what one of `count` costs. */
function spread({ data }: Session, name: string, count: number): void {
  const cost = data.steps[name]
  if (!cost) return
  for (const amount of amountNames) cost[amount] /= count
  Object.assign(cost, { count, inserts: {} })
}

/** Requests that wait in vain, and requests that wake for an event of others and go on waiting. */
async function measureWaits(
  session: Session,
  { agents, seconds }: { agents: Caller[]; seconds: number },
): Promise<void> {
  const { market, batch, data } = session
  const brief = await openWaiters(market.server.url, agents, { waitSeconds: 1, query: '&mine=true' })
  const before = brief.responses
  await batch('waitInVain', 1, () => delay(seconds * 1000))
  spread(session, 'waitInVain', brief.responses - before)
  brief.close()
  await delay(1000)
  const beside = rateOf(
    await market.meter.usage(() => storeEvents(market.client, eventsPerSecond, 2 * seconds)),
  )
  // An agent may hold two requests open.
  const waiting = [...agents, ...agents]
  const long = await openWaiters(market.server.url, waiting, { waitSeconds: 50, query: '&mine=true' })
  const quiet = data.idle
  data.idle = beside
  await batch('wake', 1, () => storeEvents(market.client, eventsPerSecond, 2 * seconds))
  spread(session, 'wake', 2 * agents.length * 2 * seconds * pollsPerSecond)
  data.idle = quiet
  long.close()
  await delay(1000)
}

/** Events that everybody gets who waits without a filter. */
async function measureNews(
  session: Session,
  { agents, seconds }: { agents: Caller[]; seconds: number },
): Promise<void> {
  const { market, batch } = session
  const open = await openWaiters(market.server.url, agents, { waitSeconds: 50, query: '' })
  const before = open.responses
  await batch('news', 1, async () => {
    await storeEvents(market.client, 1, seconds)
    await delay(1000)
  })
  spread(session, 'news', open.responses - before)
  open.close()
}
