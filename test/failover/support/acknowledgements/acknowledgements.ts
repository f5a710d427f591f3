import { setTimeout as delay } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Environment } from '../../../faults/support/environment.ts'
import { writers } from '../measures.ts'
import { type Follower, startFollower } from './follower.ts'
import { type Counts, createLedger, type Ledger } from './ledger.ts'
import { createProblems, type Problems } from './problems.ts'
import { countsIn, type ReaderOptions, readBackFrom, runReader } from './readers.ts'
import { differences, runRepeater } from './repeater.ts'
import { read, sendOnce, untilFinal } from './requests.ts'
import { runWriter } from './writer.ts'

/** Clients that write and read all the time, and compare what they read with what was acknowledged. */
export interface Acknowledgements {
  ledger: Ledger
  problems: Problems
  follower: Follower
  /** The database has fallen back: what was acknowledged before is not known any more. */
  forget(): Promise<void>
  /** Ends the clients, checks everything once more and returns what was wrong, one line each. */
  finish(): Promise<string[]>
  /** What was compared, for reports. */
  figures(): Record<'acknowledged' | 'reads' | 'notModified' | 'repeated', number>
  /** Ends the clients. */
  stop(): Promise<void>
}

/** Requests at a time while everything is checked once more. */
const atOnce = 8
/** Longest time until the follower learns that the database has fallen back, in ms. */
const truncationMs = 20_000
/** Longest time that the last events need to reach the follower, in ms. */
const finishMs = 10_000

/**
 * Starts the clients.
 * @param servers addresses of the servers themselves
 */
export async function startAcknowledgements(
  environment: Environment,
  servers: string[],
): Promise<Acknowledgements> {
  const over = new AbortController()
  const { signal } = over
  const front = environment.addresses()[0]!
  const project = environment.fixture.projects[0]!
  const ledger = createLedger()
  const problems = createProblems()
  const figures = { acknowledged: 0, reads: 0, notModified: 0, repeated: 0 }
  let base = await readCounts(front, signal)
  const addresses = [front, ...servers]
  const common = { addresses, ledger, problems, signal }
  const reader: ReaderOptions = {
    ...common,
    projectId: project.id,
    base: () => base,
    onRead(isNotModified) {
      figures.reads++
      if (isNotModified) figures.notModified++
    },
  }
  const follower = await startFollower({ ...common, apiKey: project.founderKey })
  const readBack = (bountyId: string) => readBackFrom(reader, servers, bountyId)
  const writing = new AbortController()
  const clients = [
    ...Array.from({ length: writers }, (_, writer) =>
      runWriter({
        writer,
        front,
        project,
        ledger,
        problems,
        readBack,
        signal: AbortSignal.any([signal, writing.signal]),
      }),
    ),
    runReader(reader),
    runRepeater({ ...common, onRepeat: () => void figures.repeated++ }),
  ]
  const stop = async () => {
    over.abort()
    await Promise.allSettled(clients)
  }
  return {
    ledger,
    problems,
    follower,
    figures: () => ({ ...figures, acknowledged: ledger.moments.length }),
    stop,
    async forget() {
      // What is acknowledged from the new cursor on, the follower has to see.
      for (const began = performance.now(); follower.truncations() === 0; await delay(50))
        if (performance.now() - began > truncationMs) break
      const now = await readCounts(front, signal)
      // A write that each writer has under way may be counted already.
      base = {
        agents: now.agents - writers,
        bounties: now.bounties - writers,
        submissions: now.submissions - writers,
      }
      ledger.forget()
      follower.forget()
      problems.hasLost()
    },
    async finish() {
      writing.abort()
      await follower.finish(finishMs)
      await stop()
      const left = new AbortController().signal
      const last = { ...reader, signal: left }
      const lines = [...follower.missing()]
      const inTurn = pLimit(atOnce)
      await inTurn.map(ledger.bounties.values(), ({ id }) => readBackFrom(last, servers, id))
      await inTurn.map(ledger.acknowledgements, async ({ write, reply }) => {
        const again = await untilFinal(() => sendOnce(front, write, left), left)
        if (again) lines.push(...differences({ write, reply }, again))
      })
      lines.push(...(await doneTwice(environment)))
      return [...new Set([...problems.lines, ...lines])]
    },
  }
}

async function readCounts(front: string, signal: AbortSignal): Promise<Counts> {
  for (;;) {
    const { status, body } = await read(`${front}/api/dashboard/stats`, signal)
    if (status === 200) return countsIn(body)
    if (signal.aborted) throw new Error('nobody reads the statistics any more')
    await delay(50)
  }
}

/** What the writers have asked for once and the database has twice. */
async function doneTwice({ db }: Environment): Promise<string[]> {
  const agents = await db
    .selectFrom('agents')
    .select(['name', ({ fn }) => fn.countAll<number>().as('count')])
    .where('name', 'like', 'writer %')
    .groupBy('name')
    .execute()
  const bounties = await db
    .selectFrom('bounties')
    .select(['title as name', ({ fn }) => fn.countAll<number>().as('count')])
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
    ...agents.filter(({ count }) => count > 1).map(({ name }) => `${name} was registered twice`),
    ...bounties.filter(({ count }) => count > 1).map(({ name }) => `the bounty of ${name} was created twice`),
    ...entries
      .filter(({ count }) => count > 1)
      .map(({ type, bounty_id }) => `${type} was recorded twice for ${bounty_id}`),
  ]
}
