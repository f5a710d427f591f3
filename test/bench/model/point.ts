import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bench } from '../harness/bench.ts'
import type { PartResult } from '../harness/results/report.ts'
import { show } from '../harness/results/statistics.ts'
import { createAgents } from '../parts/claimable.ts'
import { createWebhooks } from '../parts/webhooks.ts'
import { createRandom, type Random } from '../seeding/random.ts'
import { openPullRequests, type WriteName, writeNames } from './demand.ts'
import { type Caller, type Founded, type Market, openMarket, type Work } from './market.ts'
import { untilFinal } from './measure-lanes.ts'
import type { Usage } from './meter.ts'
import { startPoller } from './poller.ts'
import { defaultProfile, type Profile } from './profile.ts'
import { openWaiters } from './waiters.ts'

/** What was driven at the service: how often each step was taken, and what all of it used together. */
export interface PointData {
  seconds: number
  writes: Record<WriteName, number>
  polls: { pollTasks: number; pollBounty: number; pollList: number; readings: number }
  held: number
  heldUnfiltered: number
  waitResponses: number
  events: number
  usage: Usage
  /** Time that the server wanted a core, as a multiple of the time that it had one: others run on the machine. */
  stretch: number
  /** Median response time of each step, in ms. */
  latencyMs: Partial<Record<WriteName, number>>
}

/** A hundredth of the load that GROWTH.md plans for. */
const hundredth: Profile = { ...defaultProfile, agents: 1e4, bountiesPerYear: 1e5 }
/** Polls are as many as in so much more time than the point takes: a whole day of them is more than two cores play. */
const pollSpeed = 20
const projectCount = 20
const managedAgents = 40

interface Field {
  market: Market
  random: Random
  agents: Caller[]
  projects: Founded[]
  counts: Record<WriteName, number>
  latencies: Partial<Record<WriteName, number[]>>
  bounties: string[]
}

/** A day of a hundredth of the load, in some minutes, at a real service: what the model has to predict. */
export async function point(bench: Bench): Promise<PartResult> {
  const { quick } = bench.options
  const seconds = quick ? 10 : 240
  const market = await openMarket(bench, 'point')
  try {
    const field = await prepare(market, quick ? { ...hundredth, agents: 200 } : hundredth)
    const data = await drive(field, seconds, quick ? 10 : Math.round(hundredth.bountiesPerYear / 365))
    return report(data)
  } finally {
    await market.close()
  }
}

/** Agents, active projects and webhooks that are there when the day begins. */
async function prepare(market: Market, profile: Profile): Promise<Field> {
  const managed: Caller[] = []
  for (let made = 0; made < managedAgents; made++) managed.push(await market.register())
  const cheap = await createAgents(market.databaseUrl, market.client, profile.agents - managedAgents)
  const projects: Founded[] = []
  for (const founder of managed.slice(0, projectCount))
    projects.push(await market.activate(await market.propose(founder)))
  await untilFinal(market)
  const awake = [...managed.slice(projectCount), ...cheap.slice(0, profile.agents * profile.awake)]
  const every = Math.round(1 / profile.webhooks)
  const reached = [...managed.slice(0, projectCount), ...awake].filter((_, index) => index % every === 0)
  await createWebhooks(
    market.client,
    reached.map(({ id }) => id),
    market.receiverUrl,
  )
  const counts = Object.fromEntries(writeNames.map((name) => [name, 0])) as Field['counts']
  return { market, random: createRandom(43), agents: awake, projects, counts, latencies: {}, bounties: [] }
}

async function drive(field: Field, seconds: number, bounties: number): Promise<PointData> {
  const { market, agents, random, counts } = field
  const { client, meter, server } = market
  const waiting = agents.slice(0, Math.round(agents.length * hundredth.waiting))
  const open = Math.max(1, Math.round(waiting.length * hundredth.unfiltered))
  const waiters = await openWaiters(server.url, waiting.slice(open), { waitSeconds: 50, query: '&mine=true' })
  const readers = await openWaiters(server.url, waiting.slice(0, open), { waitSeconds: 50, query: '' })
  const before = { waits: waiters.responses + readers.responses, events: await eventsStored(field) }
  const asking = agents.slice(waiting.length)
  const choose = <Item>(items: Item[]) => items[random.below(items.length)] as Item
  const poller = (perSecond: number, next: () => { path: string; key?: string }) =>
    startPoller(server.url, { random, perSecond: perSecond * pollSpeed, choose: next })
  let polls: PointData['polls'] | undefined
  const queued = { before: runQueue(server.pid), after: { ran: 0, waited: 0 } }
  const usage = await meter.usage(async () => {
    const pollers = {
      pollTasks: poller(asking.length / hundredth.tasksEverySeconds, () => ({
        path: '/api/agents/me/tasks',
        key: choose(asking).key,
      })),
      pollBounty: poller(agents.length / hundredth.bountyEverySeconds, () => ({
        path:
          field.bounties.length > 0 ? `/api/bounties/${choose(field.bounties.slice(-200))}` : '/api/bounties',
      })),
      pollList: poller(agents.length / hundredth.listEverySeconds, () => ({
        path: `/api/bounties?status=open&offset=${20 * random.below(4)}`,
      })),
    }
    const readings = startReadings(field, pollSpeed)
    await playDay(field, seconds, bounties)
    polls = {
      ...{ pollTasks: 0, pollBounty: 0, pollList: 0 },
      readings: await readings.stop(),
    }
    for (const [name, each] of Object.entries(pollers)) {
      await each.stop()
      polls[name as keyof typeof pollers] = each.responses
    }
    await untilDelivered(field)
  })
  queued.after = runQueue(server.pid)
  const waitResponses = waiters.responses + readers.responses - before.waits
  waiters.close()
  readers.close()
  const { rows } = await client.query(
    `select count(*)::int as delivered from webhook_deliveries where status = 'delivered'`,
  )
  counts.delivery = rows[0].delivered
  return {
    seconds: usage.seconds,
    writes: counts,
    polls: polls ?? { pollTasks: 0, pollBounty: 0, pollList: 0, readings: 0 },
    held: waiting.length,
    heldUnfiltered: open,
    waitResponses,
    events: (await eventsStored(field)) - before.events,
    usage,
    stretch: 1 + (queued.after.waited - queued.before.waited) / (queued.after.ran - queued.before.ran),
    latencyMs: Object.fromEntries(
      Object.entries(field.latencies).map(([name, all]) => [
        name,
        all.toSorted((a, b) => a - b)[all.length >> 1],
      ]),
    ),
  }
}

/** Nanoseconds that the first thread of a process had a core, and waited for one. */
function runQueue(pid: number): { ran: number; waited: number } {
  const [ran, waited] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
  return { ran: ran ?? 0, waited: waited ?? 0 }
}

async function eventsStored({ market }: Field): Promise<number> {
  const { rows } = await market.client.query('select count(*)::int as count from activity')
  return rows[0].count
}

async function untilDelivered({ market }: Field): Promise<void> {
  for (let pending = 1; pending > 0; await delay(200)) {
    const { rows } = await market.client.query(
      `/* meter */ select count(*)::int as pending from webhook_deliveries where status = 'pending'`,
    )
    pending = rows[0].pending
  }
}

/** Makes pull requests due, as many as time would in `speed` times the time. */
function startReadings({ market }: Field, speed: number) {
  let marked = 0
  const perSecond = (openPullRequests(hundredth) / (hundredth.readingMinutes * 60)) * speed
  const timer = setInterval(async () => {
    const { rowCount } = await market.client.query(
      `/* meter */ update pull_requests set due_at = now() where not merged and url = any (array(
        select url from pull_requests where not merged order by random() limit ${Math.round(perSecond)}))`,
    )
    marked += rowCount ?? 0
  }, 1000)
  return {
    async stop() {
      clearInterval(timer)
      return marked
    },
  }
}

/** All that is written in a day. Each bounty begins at a random moment and goes its way with short pauses. */
async function playDay(field: Field, seconds: number, bounties: number): Promise<void> {
  const { random, market } = field
  const atRandom = async (work: () => Promise<unknown>) => {
    await delay(random.next() * seconds * 1000)
    await work()
  }
  const perDay = bounties / (hundredth.bountiesPerYear / 365)
  const newAgents = Math.round(((hundredth.agents * hundredth.newAgents) / 365) * perDay)
  const newProjects = Math.max(1, Math.round(bounties / hundredth.bountiesPerProject))
  await Promise.all([
    ...Array.from({ length: bounties }, (_, number) => atRandom(() => liveOf(field, number + 1))),
    ...Array.from({ length: newAgents }, () => atRandom(() => taken(field, 'register', market.register))),
    ...Array.from({ length: newProjects }, (_, number) =>
      atRandom(async () => {
        const founder = field.agents[number] as Caller
        const proposed = await taken(field, 'createProject', () => market.propose(founder))
        await taken(field, 'activate', () => market.activate(proposed))
      }),
    ),
  ])
}

/** Runs a step, counts it and keeps how long it took. */
async function taken<Result>(
  { counts, latencies }: Field,
  name: WriteName,
  step: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now()
  const result = await step()
  counts[name]++
  latencies[name] = [...(latencies[name] ?? []), performance.now() - started]
  return result
}

async function liveOf(field: Field, number: number): Promise<void> {
  const { market, random, agents, projects } = field
  const think = () => delay(-Math.log(1 - random.next()) * 2000)
  const happens = (share: number) => random.next() < share
  const project = projects[number % projects.length] as Founded
  const isWithdrawn = happens(hundredth.withdrawals)
  // Only registered agents have a managed wallet.
  const candidates = isWithdrawn ? managedAgents - projectCount : agents.length
  const workerOf = () => agents[random.below(candidates)] as Caller
  const work: Work = { id: '', project, worker: workerOf(), number }
  work.id = await taken(field, 'createBounty', () => market.createBounty(project))
  field.bounties.push(work.id)
  const present = async () => {
    await think()
    await taken(field, 'claim', () => market.claim(work))
    await think()
    await taken(field, 'submit', () => market.submit(work))
    await think()
  }
  await present()
  if (happens(hundredth.rejections)) {
    await taken(field, 'reject', () => market.reject(work))
    work.number += 10_000
    await present()
  }
  if (!isWithdrawn && !happens(hundredth.approvals)) return
  await taken(field, 'approve', () => market.approve(work))
  if (happens(hundredth.merges / hundredth.approvals)) {
    await think()
    await taken(field, 'merge', () => market.merge(work))
  }
  if (isWithdrawn) await taken(field, 'withdraw', () => market.withdraw(work))
}

function report(data: PointData): PartResult {
  const counts = { ...data.writes, ...data.polls, 'waits answered': data.waitResponses, events: data.events }
  return {
    tables: [
      {
        title: `The point: what was driven at one process in ${show(data.seconds)} seconds, wanting ${show(data.stretch)} × the processor time it had`,
        columns: ['step', 'times', 'median ms'],
        rows: Object.entries(counts).map(([name, count]) => {
          const ms = data.latencyMs[name as WriteName]
          return [name, String(count), ms === undefined ? '' : show(ms)]
        }),
      },
    ],
    goals: [],
    data: { ...data },
  }
}
