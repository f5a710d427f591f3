import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pLimit from 'p-limit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Environment } from '../../faults/support/environment.ts'

/** Clients that write all the time, and check that what was acknowledged to them stays and was done once. */
export interface Clients {
  /** Resolves with the time from `at` until a write was acknowledged, in ms. */
  untilAcknowledged(at: number): Promise<number>
  /** Ends the clients, checks everything once more and returns what was wrong, one line each. */
  finish(): Promise<string[]>
  /** Writes that were acknowledged. */
  acknowledged(): number
}

interface Reply {
  /** 0 where there was no response of the service. */
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
  body: any
  isReplayed: boolean
}

interface Write {
  path: string
  /** API key of the caller; none where an agent registers. */
  key?: string
  body?: unknown
}

const writers = 3
/** Pause between two requests, in ms: the machine also runs the cluster. */
const pauseMs = 60
const patienceMs = 15_000
/** The states of a bounty of the writers, in their order. */
const states = ['open', 'claimed', 'in_review']

/**
 * Starts writers, each of which registers agents that claim a bounty of their own and submit.
 * @param servers addresses of the servers themselves, which read from standbys, too
 */
export function startClients(environment: Environment, servers: string[]): Clients {
  const front = environment.addresses()[0]!
  const project = environment.fixture.projects[0]!
  const over = new AbortController()
  const problems = new Set<string>()
  const acknowledged: { at: number; idempotencyKey: string; write: Write; reply: Reply }[] = []
  const bounties = new Map<string, number>()

  /** Repeats a write with its key until its response is final. */
  async function insist(write: Write): Promise<Reply['body'] | undefined> {
    const idempotencyKey = randomUUID()
    await delay(pauseMs)
    const reply = await untilFinal(() => send(front, write, idempotencyKey), over.signal)
    if (reply && reply.status < 300)
      acknowledged.push({ at: performance.now(), idempotencyKey, write, reply })
    else if (reply) problems.add(`a write to ${write.path} got ${reply.status} ${reply.body?.error?.code}`)
    return reply && reply.status < 300 ? reply.body : undefined
  }

  /** What was acknowledged is there at once, on every server. */
  async function readBack(id: string, signal: AbortSignal): Promise<void> {
    const state = bounties.get(id)!
    const path = `/api/bounties/${id}`
    await Promise.all(
      servers.map(async (server) => {
        const reply = await untilFinal(() => request(server + path, {}), signal)
        if (!reply) return
        const read = reply.body.bounty?.status
        if (states.indexOf(read) < state)
          problems.add(`bounty ${id} was ${states[state]} and is read ${read ?? reply.status}`)
      }),
    )
  }

  async function write(name: string): Promise<void> {
    const { address } = privateKeyToAccount(generatePrivateKey())
    const registered = await insist({ path: '/api/agents/register', body: { name, wallet_address: address } })
    const created = await insist({
      path: `/api/projects/${project.id}/bounties`,
      key: project.founderKey,
      body: { title: name, description: 'Do it.', reward_amount: 1 },
    })
    if (!registered || !created) return
    const key = registered.agent.api_key as string
    const id = created.bounty.id as string
    const pr_url = `${project.repoUrl}/pull/${1_000_000 + acknowledged.length}`
    const next = [
      { path: `/api/bounties/${id}/claim`, key },
      { path: `/api/bounties/${id}/submit`, key, body: { pr_url } },
    ]
    for (const state of states.keys()) {
      const step = next[state - 1]
      if (step && !(await insist(step))) return
      bounties.set(id, state)
      await readBack(id, over.signal)
    }
  }

  const clients = Array.from({ length: writers }, async (_, writer) => {
    for (let life = 0; !over.signal.aborted; life++) await write(`writer ${writer} life ${life}`)
  })
  return {
    acknowledged: () => acknowledged.length,
    async untilAcknowledged(after) {
      for (;;) {
        const first = acknowledged.find(({ at }) => at >= after)
        if (first) return Math.round(first.at - after)
        await delay(10)
      }
    },
    async finish() {
      over.abort()
      await Promise.all(clients)
      const { signal } = new AbortController()
      const inTurn = pLimit(8)
      await inTurn.map(bounties.keys(), (id) => readBack(id, signal))
      await inTurn.map(acknowledged, async ({ write, idempotencyKey, reply }) => {
        const again = (await untilFinal(() => send(front, write, idempotencyKey), signal))!
        if (!again.isReplayed) problems.add(`a repeated write to ${write.path} got a new ${again.status}`)
        else if (!isDeepStrictEqual(again.body, reply.body))
          problems.add(`a repeated write to ${write.path} got another response than at first`)
      })
      return [...problems, ...(await doneTwice(environment))]
    },
  }
}

async function untilFinal(ask: () => Promise<Reply>, signal: AbortSignal): Promise<Reply | undefined> {
  while (!signal.aborted) {
    const reply = await ask()
    const mayRepeat = reply.status === 0 || reply.status >= 500 || reply.body?.error?.retryable === true
    if (!mayRepeat) return reply
    await delay(pauseMs)
  }
  return undefined
}

function send(front: string, { path, key, body }: Write, idempotencyKey: string): Promise<Reply> {
  return request(front + path, {
    method: 'POST',
    headers: {
      'idempotency-key': idempotencyKey,
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function request(url: string, init: RequestInit): Promise<Reply> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) })
    const isReplayed = response.headers.get('idempotency-replayed') === 'true'
    return { status: response.status, body: await response.json(), isReplayed }
  } catch {
    return { status: 0, body: null, isReplayed: false }
  }
}

/** What the writers have asked for once and the database has twice. */
async function doneTwice({ db }: Environment): Promise<string[]> {
  const bounties = await db
    .selectFrom('bounties')
    .select(['title', ({ fn }) => fn.countAll<number>().as('count')])
    .where('title', 'like', 'writer %')
    .groupBy('title')
    .execute()
  const entries = await db
    .selectFrom('activity')
    .select(['type', 'bounty_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('type', 'in', ['bounty.created', 'bounty.claimed', 'submission.created'])
    .groupBy(['type', 'bounty_id'])
    .execute()
  return [
    ...bounties.map((row) => ({ ...row, what: row.title })),
    ...entries.map((row) => ({ ...row, what: row.type })),
  ]
    .filter(({ count }) => Number(count) > 1)
    .map(({ what }) => `${what} was done twice`)
}
