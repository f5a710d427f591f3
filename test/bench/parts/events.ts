import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../../../server/ids.ts'
import type { Bench } from '../harness/bench.ts'
import { logStatements, statementsDuring } from '../harness/capture.ts'
import { cpuSeconds } from '../harness/proc.ts'
import { atMost, type PartResult } from '../harness/results/report.ts'
import { median, show } from '../harness/results/statistics.ts'
import { type RunningServer, startServer } from '../harness/server.ts'
import { type BenchAgent, createAgents } from './claimable.ts'

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
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  // The connection of the benchmark is open already, so its own statements are not logged.
  await logStatements(url, true)
  const agents = await createAgents(url, client, waiting / waitsPerAgent)
  const [ours] = bench.ours(url)
  if (!ours) throw new Error('no server')
  const server = await startServer(ours, bench.placement.everything)
  const sockets = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  try {
    // What a process does only once after its start is over then.
    await delay(quick ? 0 : 5000)
    const idle = await costOf(bench, client, server)
    const crowd = openWaits(server.url, agents, sockets)
    await crowd.openAll()
    const crowded = await costOf(bench, client, server)
    bench.log(
      `${waiting} wait: ${show(crowded.statements)} statements/s, ${show(idle.statements)} without them`,
    )
    const other = await startServer({ ...ours, label: 'second process' }, bench.placement.everything)
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

/** What a process costs while nothing happens. */
interface Cost {
  /** Statements a second that the process sends. */
  statements: number
  /** Connections with a statement or a transaction, seen at any of many looks. */
  busyConnections: number
  /** Milliseconds of processor time of the process a second. */
  cpuMs: number
}

async function costOf(bench: Bench, client: pg.Client, { pid }: RunningServer): Promise<Cost> {
  const seconds = bench.options.quick ? 2 : 10
  let busyConnections = 0
  let elapsed = 0
  const cpu = cpuSeconds(pid)
  const started = performance.now()
  const logged = await statementsDuring(bench.postgres.logPath, async () => {
    while (elapsed < seconds) {
      const { rows } = await client.query(`select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`)
      busyConnections = Math.max(busyConnections, rows.length)
      await delay(100)
      elapsed = (performance.now() - started) / 1000
    }
  })
  const cpuMs = ((cpuSeconds(pid) - cpu) / elapsed) * 1000
  return { statements: logged.length / elapsed, busyConnections, cpuMs }
}

/** Stores an event as another process would. Resolves with when its commit was known. */
async function commitEvent(client: pg.Client): Promise<number> {
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
  const row = (label: string, { statements, busyConnections, cpuMs }: Cost) => [
    label,
    show(statements),
    String(busyConnections),
    show(cpuMs),
  ]
  return {
    tables: [
      {
        title: 'Events: one process while nothing happens',
        columns: ['', 'statements/s', 'connections held', 'processor ms/s'],
        rows: [row('nobody waits', idle), row(`${show(waiting, 4)} requests wait`, crowded)],
      },
      {
        title: 'Events: from the commit of another process to the response',
        columns: ['responses', 'median ms', 'p99 ms', 'last ms'],
        rows: [[show(sorted.length, 5), show(median(sorted)), show(p99), show(sorted.at(-1) ?? Number.NaN)]],
      },
    ],
    findings: [
      atMost(
        `statements for ${waiting.toLocaleString('en')} waiting requests`,
        2,
        crowded.statements - idle.statements,
        'a second',
      ),
      atMost('from commit to response, p99', 1000, p99, 'ms'),
    ],
    data: { idle, crowded, p99, median: median(sorted) },
  }
}
