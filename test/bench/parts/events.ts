import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { newId } from '../../../server/ids.ts'
import type { Bench } from '../harness/bench.ts'
import { connect, logStatements } from '../harness/postgres.ts'
import { cpuSeconds } from '../harness/proc.ts'
import { goal, type PartResult } from '../harness/results/report.ts'
import { median, show } from '../harness/results/statistics.ts'
import type { RunningServer } from '../harness/server.ts'
import { type BenchAgent, createBenchAgents } from './claimable.ts'

/** Requests of one agent that may wait at once. */
const waitsPerAgent = 2
const waitSeconds = 50

/**
 * Requests that wait for events on one process, while another process runs on the same database: what they cost while
 * nothing happens, and how long after a commit of somebody else they are told.
 */
export async function events(bench: Bench): Promise<PartResult> {
  const { quick } = bench.options
  const waiting = quick ? 100 : 2000
  const url = await bench.postgres.create('bench_events')
  // This connection is open already when statements are logged, so its own are not.
  const client = await connect(url)
  await logStatements(url)
  const agents = await createBenchAgents(url, waiting / waitsPerAgent)
  const server = await bench.start(url)
  const sockets = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  try {
    // What a process does only once after its start is over then.
    await delay(quick ? 0 : 5000)
    const idle = await costOf(bench, server)
    const crowd = openWaits(server.url, agents, sockets)
    await crowd.openAll()
    const crowded = await costOf(bench, server)
    bench.log(
      `${waiting} wait: ${show(crowded.statements)} statements/s, ${show(idle.statements)} without them`,
    )
    const other = await bench.start(url)
    const latencies: number[] = []
    for (let round = 0; round < (quick ? 3 : 20); round++) {
      // Commits come at any moment between two polls.
      await delay(Math.random() * 1000)
      latencies.push(...(await crowd.tell(() => commitEvent(client))))
    }
    await other.stop()
    crowd.close()
    return report(waiting, { idle, crowded, latencies })
  } finally {
    sockets.destroy()
    await server.stop()
    await client.end()
  }
}

/** What a process costs while nothing happens: statements and milliseconds of processor time a second. */
interface Cost {
  statements: number
  cpuMs: number
}

async function costOf(bench: Bench, { pid }: RunningServer): Promise<Cost> {
  const cpu = cpuSeconds(pid)
  const started = performance.now()
  const sent = await bench.postgres.statementsDuring(() => delay(bench.options.quick ? 2000 : 10_000))
  const elapsed = (performance.now() - started) / 1000
  return { statements: sent / elapsed, cpuMs: ((cpuSeconds(pid) - cpu) / elapsed) * 1000 }
}

/** Stores an event as another process would. Resolves with when its commit was known. */
async function commitEvent(client: Client): Promise<number> {
  await client.query(
    `with agent as (insert into agents (id, name, key_id, key_hash) values ($1, 'New', $1, '$argon2id$none') returning id)
     insert into activity (id, type, agent_id) values ($2, 'agent.registered', $1)`,
    [newId('agent'), newId('activity')],
  )
  return performance.now()
}

/** Keeps as many requests waiting as the agents may have. Each is sent again when it was answered. */
function openWaits(url: string, agents: BenchAgent[], sockets: Agent) {
  let isClosed = false
  let told: number[] = []
  const slots = agents.flatMap(({ key }) =>
    Array.from({ length: waitsPerAgent }, () => ({ key, cursor: '' })),
  )
  const started = new Set<object>()

  function ask(slot: { key: string; cursor: string }): void {
    if (isClosed) return
    const after = slot.cursor && `&after=${slot.cursor}`
    const options = { agent: sockets, headers: { authorization: `Bearer ${slot.key}` } }
    const wait = slot.cursor ? waitSeconds : 0
    const request = get(`${url}/api/events?wait=${wait}${after}`, options, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      if (response.statusCode !== 200) throw new Error(`events: ${response.statusCode} ${text}`)
      const page = JSON.parse(text)
      if (page.events.length > 0) told.push(performance.now())
      slot.cursor = page.cursor
      started.add(slot)
      ask(slot)
    })
    request.on('error', (error) => {
      if (!isClosed) throw error
    })
  }

  return {
    /** Sends the first requests, some at a time, because a process verifies each key once. */
    async openAll() {
      for (const [index, slot] of slots.entries()) {
        ask(slot)
        while (index - started.size > 50) await delay(5)
      }
      while (started.size < slots.length) await delay(50)
      await delay(1000)
    },
    /** Commits an event and resolves with how long after it each request was told, in ms. */
    async tell(commit: () => Promise<number>): Promise<number[]> {
      told = []
      const at = await commit()
      while (told.length < slots.length) await delay(5)
      return told.map((moment) => moment - at)
    },
    close() {
      isClosed = true
    },
  }
}

function report(
  waiting: number,
  { idle, crowded, latencies }: { idle: Cost; crowded: Cost; latencies: number[] },
): PartResult {
  const sorted = latencies.toSorted((a, b) => a - b)
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
  const row = (label: string, { statements, cpuMs }: Cost) => [label, show(statements), show(cpuMs)]
  const crowd = `${waiting.toLocaleString('en')} requests wait`
  return {
    tables: [
      {
        title: 'Events: one process while nothing happens',
        columns: ['', 'statements/s', 'processor ms/s'],
        rows: [row('nobody waits', idle), row(crowd, crowded)],
      },
      {
        title: 'Events: from the commit of another process to the response',
        columns: ['responses', 'median ms', 'p99 ms', 'last ms'],
        rows: [[show(sorted.length, 5), ...[median(sorted), p99, sorted.at(-1) ?? 0].map((ms) => show(ms))]],
      },
    ],
    findings: [
      goal(
        `statements for ${waiting.toLocaleString('en')} waiting requests`,
        crowded.statements - idle.statements,
        '≤',
        2,
        'a second',
      ),
      goal('from commit to response, p99', p99, '≤', 1000, 'ms'),
    ],
    data: { idle, crowded, p99, median: median(sorted) },
  }
}
