import { setTimeout as delay } from 'node:timers/promises'
import { createRandom } from '../seeding/random.ts'
import type { Caller, Work } from './market.ts'
import { amountNames, rateOf } from './meter.ts'
import { type Poll, startPoller } from './poller.ts'
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

/**
 * Polls a second while one kind of them is measured, about as many as a process of the day gets. If more came, several would
 * share one look at the database.
 */
const pace = 100

/** Measures polls of all kinds: of tasks, bounties, lists and events, which also wait. */
export async function measurePolls(session: Session, { works, agents, seconds }: PollOptions): Promise<void> {
  const { market, batch, data } = session
  const quiet = data.idle
  const workers = [...new Set(works.map(({ worker }) => worker))]
  const tasks = workers.map(({ key }) => ({ path: '/api/agents/me/tasks', key }))
  await batch('warmUp', 1, () => run(session, tasks, seconds / 3))
  delete data.steps.warmUp
  await poll(session, 'pollTasks', tasks, seconds)
  // What writes cost by themselves, a process that reads the log included.
  const writing = () => storeEvents(market.client, writesPerSecond, seconds)
  data.idle = rateOf(await market.meter.usage(writing))
  const bounties = works.slice(-200).map(({ id }) => ({ path: `/api/bounties/${id}` }))
  await poll(session, 'pollBounty', bounties, seconds, writing)
  await poll(
    session,
    'pollList',
    lists.map((path) => ({ path })),
    seconds,
    writing,
  )
  data.idle = quiet
  await measureWaits(session, { agents, seconds })
  await measureNews(session, { agents, seconds })
}

/** Polls for some seconds, at random moments, and returns the number of responses. */
async function run({ market }: Session, polls: Poll[], seconds: number): Promise<number> {
  const random = createRandom(53)
  const choose = () => polls[random.below(polls.length)] as Poll
  const poller = startPoller(market.server.url, { random, perSecond: pace, choose })
  await delay(seconds * 1000)
  await poller.stop()
  return poller.responses
}

/** Measures one of `polls`, each with the ETag of the last response, if `writing` is given while others write. */
async function poll(
  session: Session,
  name: string,
  polls: Poll[],
  seconds: number,
  writing?: () => Promise<void>,
): Promise<void> {
  let responses = 1
  await session.batch(name, 1, async () => {
    const [count] = await Promise.all([run(session, polls, seconds), writing?.()])
    responses = count
  })
  spread(session, name, responses)
}

/** Turns what all cost into what one of `count` costs. */
function spread({ data }: Session, name: string, count: number): void {
  const cost = data.steps[name]
  if (!cost) return
  for (const amount of amountNames) cost[amount] /= count
  // No poll asks the chain. What was counted is its follower, every ten seconds.
  Object.assign(cost, { count, inserts: {}, rpcCalls: 0 })
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
