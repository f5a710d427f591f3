/** @module-tag git */
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Marketplace } from '@bounty-marketplace/sdk'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { register } from '../../../examples/support/register.ts'
import { createRandom } from '../../support/random.ts'
import { type Gateway, startGateway } from './alone/gateway.ts'
import { readBalance, readPayments } from './alone/paid.ts'
import { type Program, startProgram } from './alone/program.ts'
import { type Service, startService } from './alone/service.ts'
import { makeTrouble } from './alone/trouble.ts'

/** How long there is trouble; ALONE_MINUTES=60 for an hour. */
const minutes = Number(process.env.ALONE_MINUTES ?? 5)
const seed = Number(process.env.ALONE_SEED ?? Date.now() % 1_000_000)

/** How many bounties the founder always wants beyond those that are paid, so that it does not end while there is trouble. */
const ahead = 6

/**
 * Requests of one program in a minute, at most: twice what was measured where most was done, ten bounties with some 120 requests of
 * the contributor each. A loop without a pause sends many thousands.
 */
const mostPerMinute = 2_400

/** For the rest after the trouble: a task that has failed again and again rests for ten minutes. */
const patienceMs = 20 * 60_000

test('founder and contributor, left alone with pages, kills and stops, finish each bounty and pay it once', {
  timeout: minutes * 60_000 + 2 * patienceMs,
}, async () => {
  console.log(`ALONE_MINUTES=${minutes} ALONE_SEED=${seed}`)
  const folder = await mkdtemp(join(tmpdir(), 'alone-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const plan = join(folder, 'plan.json')
  await writePlan(plan, ahead)
  const service = await startService(folder)
  try {
    const programs = {
      founder: await startAgent('founder', service, folder, 1, '--plan', plan),
      contributor: await startAgent('contributor', service, folder, 2, '--bounties', '1000000'),
    }
    const lived = await liveInTrouble(service, programs, plan)
    report(service, programs, lived)
    await finish(programs, lived.wanted)
    report(service, programs, lived)
    await expectPaidOnce(service, lived.wanted)
    await expectDoneOnce(service, lived.wanted)
    for (const { gateway } of Object.values(programs))
      expect(Math.max(...perMinute(gateway))).toBeLessThan(mostPerMinute)
    const why = 'this proves nothing: too little was paid while there was trouble'
    expect(lived.paidInTime, why).toBeGreaterThanOrEqual(minutes)
  } finally {
    await service.end()
  }
})

interface Agent {
  program: Program
  gateway: Gateway
  memory(): Promise<{ underway: object }>
}
type Agents = Record<'founder' | 'contributor', Agent>

async function startAgent(
  name: keyof Agents,
  service: Service,
  folder: string,
  number: number,
  ...args: string[]
): Promise<Agent> {
  const gateway = await startGateway(service.url, createRandom(seed + number))
  const file = join(folder, `${name}.json`)
  const { token } = await register(new Marketplace({ baseUrl: service.url, apiKey: null }), name)
  const program = await startProgram(name, [gateway.url, file, ...args], { temporary: folder, token })
  return { program, gateway, memory: async () => JSON.parse(await readFile(file, 'utf8')) }
}

/** The time of trouble. Returns how many bounties the founder wants in the end, and how many were paid by then. */
async function liveInTrouble(service: Service, programs: Agents, plan: string) {
  const over = new AbortController()
  const { signal } = over
  const troubled = makeTrouble({ service, programs }, createRandom(seed), signal)
  const planned = growPlan(service, plan, signal)
  try {
    await Promise.race([
      delay(minutes * 60_000, undefined, { signal }),
      // It ends early only if the service does not start again.
      troubled,
      ...Object.values(programs).map(({ program }) => unlessEarly(program)),
    ])
  } finally {
    over.abort()
    await Promise.allSettled([troubled, planned])
  }
  const paidInTime = (await readPayments((await service.parts()).rpcUrl)).length
  return { trouble: await troubled, wanted: await planned, paidInTime }
}

async function unlessEarly({ ended, args }: Program): Promise<never> {
  await ended
  throw new Error(`ended early: ${args.join(' ')}`)
}

/** Both programs end by themselves, with nothing under way: the contributor as soon as it knows for how many bounties. */
async function finish(programs: Agents, wanted: number): Promise<void> {
  const { founder, contributor } = programs
  await inTime(programs, Promise.race([founder.program.ended, unlessEarly(contributor.program)]))
  contributor.program.args = contributor.program.args.with(-1, String(wanted))
  contributor.program.kill()
  await inTime(programs, contributor.program.ended)
  expect(founder.program.output).toMatch(/every bounty is done and merged\n$/)
  expect(contributor.program.output.match(/^paid for bnt_\w+$/gm)).toHaveLength(wanted)
  for (const { memory } of [founder, contributor]) expect((await memory()).underway).toEqual({})
}

/** @throws Error with the end of what the programs printed, if `work` takes too long */
async function inTime(programs: Agents, work: Promise<void>): Promise<void> {
  const stop = new AbortController()
  const late = delay(patienceMs, undefined, { signal: stop.signal }).then(() => {
    const ends = Object.values(programs).map(({ program }) => program.output.slice(-5_000))
    throw new Error(`not finished in time:\n${ends.join('\n\n')}`)
  })
  await Promise.race([work, late]).finally(() => stop.abort())
}

/** The rewards are 1, 2, 3 and so on: a payment says by its amount which bounty it is for. */
async function writePlan(path: string, count: number): Promise<void> {
  const project = {
    name: 'Date parser',
    description: 'Parses dates as people write them.',
    token_symbol: 'DATE',
    token_supply: 1_000_000_000,
  }
  const bounties = Array.from({ length: count }, (_, at) => ({
    title: `Format ${at + 1}`,
    description: `Accept format ${at + 1}, with tests.`,
    reward_amount: at + 1,
  }))
  await writeFile(`${path}.new`, JSON.stringify({ project, bounties }))
  await rename(`${path}.new`, path)
}

/** The founder wants ever more until `signal` aborts. Returns how many bounties it wants in the end. */
async function growPlan(service: Service, path: string, signal: AbortSignal): Promise<number> {
  let wanted = ahead
  while (!signal.aborted) {
    // The chain is down with the service.
    const paid = await service
      .parts()
      .then(({ rpcUrl }) => readPayments(rpcUrl))
      .catch(() => [])
    if (paid.length + ahead > wanted) {
      wanted = paid.length + ahead
      await writePlan(path, wanted)
    }
    await delay(1_000, undefined, { signal }).catch(() => undefined)
  }
  return wanted
}

/** The chain has one payment for each reward, all to one wallet, which has got them. */
async function expectPaidOnce(service: Service, wanted: number): Promise<void> {
  const { rpcUrl } = await service.parts()
  const payments = await readPayments(rpcUrl)
  const rewards = payments.map(({ amount, fee }) => amount + fee).sort((one, other) => Number(one - other))
  expect(rewards).toEqual(Array.from({ length: wanted }, (_, at) => BigInt(at + 1) * 10n ** 18n))
  expect(new Set(payments.map(({ token, to }) => `${token} ${to}`)).size).toBe(1)
  const sum = payments.reduce((all, { amount }) => all + amount, 0n)
  expect(await readBalance(rpcUrl, payments[0]!)).toBe(sum)
}

/** The service knows each bounty once, and each thing that was to be done for it once. */
async function expectDoneOnce(service: Service, wanted: number): Promise<void> {
  const { databaseUrl } = await service.parts()
  const db = new pg.Client(databaseUrl)
  await db.connect()
  const bounties = await db.query('select title, status from bounties order by reward_amount')
  const activity = await db.query('select type, count(*)::int as times from activity group by type')
  await db.end()
  expect(bounties.rows).toEqual(
    Array.from({ length: wanted }, (_, at) => ({ title: `Format ${at + 1}`, status: 'done' })),
  )
  expect(Object.fromEntries(activity.rows.map(({ type, times }) => [type, times]))).toMatchObject({
    'agent.registered': 2,
    'project.created': 1,
    'project.activated': 1,
    'bounty.created': wanted,
    'bounty.claimed': wanted,
    'submission.created': 2 * wanted,
    'submission.changes_requested': wanted,
    'submission.approved': wanted,
    'payout.confirmed': wanted,
    'pull_request.merged': wanted,
  })
}

function report({ starts }: Service, programs: Agents, lived: object): void {
  const lives = Object.entries(programs).map(([name, { program, gateway }]) => {
    const { kills } = program
    return [name, { kills, faults: gateway.faults, requestsPerMinute: perMinute(gateway).join(' ') }]
  })
  console.log(JSON.stringify({ serviceStarts: starts, ...lived, ...Object.fromEntries(lives) }, null, 2))
}

/** No request in a minute is none. */
const perMinute = ({ perMinute: counts }: Gateway) => Array.from(counts, (count) => count ?? 0)
