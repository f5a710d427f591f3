import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../support/random.ts'
import type { Environment } from '../support/environment.ts'
import { endReview } from '../support/founder.ts'
import { windowMs } from '../support/oracle/rules.ts'
import type { Move } from '../support/shown-pulls.ts'
import { setApproval } from './inject.ts'
import type { Fault } from './plan.ts'

/** What happens to work on a bounty with a rule, in ms after the service is ready. */
export interface PlannedRule {
  /** Which of the fixture's. */
  work: number
  moves: { at: number; move: Move; isReported: boolean }[]
  rejectedAt?: number
  /** The reward cannot be paid for a while. */
  unfunded?: { at: number; ms: number }
}

const moves: Move[] = ['green', 'green', 'red', 'pending', 'foreign', 'commit', 'closed for a moment']

/** Rules of one or both works. In the end most are green, which has to be paid then. */
export function drawRules(random: Random): PlannedRule[] {
  return random.some([0, 1], random.int(1, 2)).map((work) => {
    let at = random.int(0, 500)
    const drawn = Array.from({ length: random.int(1, 4) }, () => {
      at += random.int(50, windowMs * 1.5)
      return { at, move: random.pick(moves), isReported: random.chance(0.7) }
    })
    const last = { at: at + random.int(50, windowMs * 1.5), isReported: random.chance(0.7) }
    return {
      work,
      moves: [
        { at: 0, move: random.pick(['green', 'commit'] as const), isReported: true },
        ...drawn,
        { ...last, move: random.chance(0.8) ? 'green' : random.pick(moves) },
      ],
      ...(random.chance(0.25) && { rejectedAt: random.int(0, last.at + windowMs) }),
      ...(work === 1 && random.chance(0.4) && { unfunded: { at: random.int(0, at), ms: windowMs } }),
    }
  })
}

/** A fault about when windows end. */
export function drawLateFault(random: Random, slots: number): Fault {
  const at = random.int(windowMs / 2, windowMs * 3)
  return random.pick<Fault>([
    { what: 'killed', at, slot: random.int(0, slots - 1) },
    { what: 'database cut', at },
    { what: 'database stalled', at, ms: random.int(150, 900) },
    { what: 'commit cut', at, when: random.pick(['before', 'after'] as const), after: random.int(0, 8) },
    { what: 'github', at, on: 'any', fault: { kind: 'late', ms: random.int(200, windowMs * 1.5) } },
    { what: 'github', at, on: 'any', fault: { kind: 'server error' } },
  ])
}

/** Plays what is planned. Resolves when its last window may be over. */
export async function playRule(
  environment: Environment,
  random: Random,
  { work: position, moves, rejectedAt, unfunded }: PlannedRule,
): Promise<void> {
  const { pulls, fixture } = environment
  const work = fixture.ruled[position]!
  const untilOver = delay(moves.at(-1)!.at + windowMs)
  const reject = async (at: number) => {
    await delay(at)
    await endReview(environment, random, work, 'rejected')
  }
  const takeFunds = async ({ at, ms }: { at: number; ms: number }) => {
    await delay(at)
    await setApproval(environment, 'reserve')
    await delay(ms)
    await setApproval(environment, 'everything')
  }
  await Promise.all([
    untilOver,
    rejectedAt !== undefined && reject(rejectedAt),
    unfunded && takeFunds(unfunded),
    ...moves.map(async ({ at, move, isReported }) => {
      await delay(at)
      pulls.move(work, move)
      if (isReported) await pulls.report(work)
    }),
  ])
}
