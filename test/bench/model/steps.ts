import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import { maxInFlight } from '../../../server/engines/transactions/types.ts'
import type { Bench } from '../harness/bench.ts'
import type { PartResult } from '../harness/results/report.ts'
import { show } from '../harness/results/statistics.ts'
import { createAgents } from '../parts/claimable.ts'
import { createWebhooks } from '../parts/webhooks.ts'
import { type Caller, type Founded, type Market, openMarket, type Work } from './market.ts'
import { measureLane, stepOnChain, untilFinal } from './measure-lanes.ts'
import { type Amounts, amountNames, rateOf } from './meter.ts'
import { measurePolls } from './polls.ts'
import { bytesPerRow } from './row-sizes.ts'
import { openSession, type Session, type StepsData } from './session.ts'
import { storeEvent } from './waiters.ts'

interface Sizes {
  projects: number
  agents: number
  bounties: number
  /** Payouts in blocks of their own, of which the lane then checks each. */
  alone: number
  /** Rejections, merges, withdrawals, and approvals at random moments. */
  few: number
  waiters: number
  seconds: number
  /** A process does something every 5, 10 and 15 seconds: so long is measured what it does by itself. */
  restSeconds: number
}

/** Transactions a second, where their cost is measured. */
const perSecond = 1

const full: Sizes = {
  projects: 40,
  agents: 240,
  bounties: 800,
  alone: 20,
  few: 120,
  waiters: 1000,
  seconds: 15,
  restSeconds: 30,
}
const small: Sizes = {
  projects: 2,
  agents: 12,
  bounties: 20,
  alone: 2,
  few: 4,
  waiters: 20,
  seconds: 2,
  restSeconds: 2,
}

/** What each step of the marketplace costs the service, its database, the chain and the code host. */
export async function steps(bench: Bench): Promise<PartResult> {
  const sizes = bench.options.quick ? small : full
  const market = await openMarket(bench, 'steps')
  try {
    const session = openSession(bench, market)
    const { agents, projects } = await measureFounding(session, sizes)
    await untilFinal(market)
    // Until the follower has read what the deployments have logged.
    await delay(sizes.restSeconds * 1000)
    session.data.idle = rateOf(await market.meter.usage(() => delay(sizes.restSeconds * 1000)))
    const works = await measureWork(session, sizes, agents, projects)
    await measureMoney(session, sizes, works)
    await measureDeliveries(session, agents)
    const cheap = await createAgents(market.databaseUrl, market.client, sizes.waiters)
    await measurePolls(session, { works, agents: cheap, seconds: sizes.seconds })
    session.data.bytesPerRow = await bytesPerRow(market.client)
    return report(session.data)
  } finally {
    await market.close()
  }
}

async function measureFounding({ market, step }: Session, sizes: Sizes) {
  const agents: Caller[] = []
  const numbers = Array.from({ length: sizes.agents }, (_, number) => number)
  await step('register', numbers, async () => agents.push(await market.register()))
  const founders = agents.splice(0, sizes.projects)
  const proposed: Awaited<ReturnType<Market['propose']>>[] = []
  await step('createProject', founders, async (founder) => proposed.push(await market.propose(founder)))
  const projects: Founded[] = []
  await step('activate', proposed, async (each) => projects.push(await market.activate(each)))
  return { agents, projects }
}

/** Works for bounties of all projects, each for another pair of agent and project: an agent has one claim a project. */
export function worksFor(count: number, agents: Caller[], projects: Founded[]): Work[] {
  return Array.from({ length: count }, (_, number) => {
    const round = Math.floor(number / projects.length)
    const worker = agents[(number + round) % agents.length] as Caller
    return { id: '', project: projects[number % projects.length] as Founded, worker, number: number + 1 }
  })
}

async function measureWork(
  { market, step, batch }: Session,
  sizes: Sizes,
  agents: Caller[],
  projects: Founded[],
) {
  const works = worksFor(sizes.bounties, agents, projects)
  await step('createBounty', works, async (work) => {
    work.id = await market.createBounty(work.project)
  })
  await step('claim', works, market.claim)
  await step('submit', works, market.submit)
  const { client } = market
  const readAll = async (name: string) => {
    await client.query(`/* meter */ update pull_requests set due_at = now() + interval '2 seconds'`)
    await batch(name, works.length, async () => {
      await delay(2000)
      for (let due = 1; due > 0; await delay(200)) {
        const { rows } = await client.query(
          `/* meter */ select count(*)::int as due from pull_requests where due_at <= now()`,
        )
        due = rows[0].due
      }
    })
  }
  // The first reading finds what has changed since the submission, the second that nothing has.
  await readAll('firstReading')
  await readAll('reading')
  await client.query(`/* meter */ update pull_requests set due_at = now() + interval '1 day'`)
  return works
}

async function measureMoney(session: Session, { alone, few, restSeconds }: Sizes, works: Work[]) {
  const { market, step } = session
  const [rejected, rest] = [works.slice(0, few), works.slice(few)]
  await step('reject', rejected, market.reject)
  await measureLane(session, rest.splice(0, alone), restSeconds)
  // As the day has them: one or two in a block.
  await stepOnChain(session, 'approve', rest.slice(0, few), market.approve, few / perSecond)
  // The others only fill the tables, so that their rows can be measured.
  await pLimit(maxInFlight).map(rest.slice(few), market.approve)
  await untilFinal(market)
  await step('merge', rest.slice(0, few), market.merge)
  await stepOnChain(session, 'withdraw', rest.slice(0, few), market.withdraw, few / (2 * perSecond))
}

/** An event for each of many webhooks, one at a time as they come, so that each is a round of its own. */
async function measureDeliveries({ market, batch, data }: Session, agents: Caller[]) {
  const { client, receiverUrl } = market
  const ids = agents.map(({ id }) => id)
  const count = ids.length
  await batch('event', count, () => untilNumbered(market, () => storeEvent(client), count))
  await createWebhooks(client, ids, receiverUrl)
  const usage = await batch('delivery', count, async () => {
    for (const id of ids) {
      await client.query(
        `/* meter */ insert into activity (id, type, agent_id) values ('act_d' || substr($1, 5), 'agent.registered', $1)`,
        [id],
      )
      await delay(20)
    }
    for (let pending = 1; pending > 0; await delay(100)) {
      const { rows } = await client.query(`/* meter */ select count(*)::int as pending from activity a
        where position is null or exists (select from webhook_deliveries where event_id = a.id and status = 'pending')`)
      pending = rows[0].pending
    }
  })
  if (usage.deliveries < count) throw new Error(`${usage.deliveries} of ${count} deliveries arrived`)
  const { delivery, event } = data.steps
  // The event itself would have been stored and numbered without a webhook.
  if (delivery && event)
    for (const name of amountNames) delivery[name] = Math.max(0, delivery[name] - event[name])
  await client.query(
    `/* meter */ update webhooks set disabled_at = now(), disabled_because = 'owner', due_at = null`,
  )
}

async function untilNumbered({ client }: Market, store: () => Promise<void>, count: number): Promise<void> {
  for (let stored = 0; stored < count; stored++) {
    await store()
    await delay(20)
  }
  for (let waiting = 1; waiting > 0; await delay(100)) {
    const { rows } = await client.query(
      '/* meter */ select count(*)::int as waiting from activity where position is null',
    )
    waiting = rows[0].waiting
  }
}

const columns = [
  'step',
  'times',
  'ms',
  'node µs',
  'postgres µs',
  'statements',
  'WAL',
  'rows',
  'RPC',
  'host',
  '304',
]

function report(data: StepsData): PartResult {
  const row = (name: string, times: string, ms: string, cost: Amounts) => [
    ...[name, times, ms],
    ...[cost.nodeMicros, cost.postgresMicros].map((value) => show(value)),
    ...[cost.statements, cost.walBytes, cost.rows, cost.rpcCalls].map((value) => show(value)),
    show(cost.hostReads + cost.hostWrites),
    show(cost.hostUnchanged),
  ]
  return {
    tables: [
      {
        title: 'Steps: what one costs beside an idle process',
        columns,
        rows: [
          ...Object.entries(data.steps).map(([name, cost]) =>
            row(name, String(cost.count), cost.latencyMs ? show(cost.latencyMs) : '', cost),
          ),
          row('a second of an idle process', '', '', data.idle),
          row('a second of a lane, something not final', '', '', data.lane.watching),
          row('… and something under way', '', '', data.lane.underWay),
          row('a block checked by a lane', '', '', data.lane.check),
        ],
      },
    ],
    goals: [],
    data: { ...data },
  }
}
