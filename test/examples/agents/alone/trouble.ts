import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../../support/random.ts'
import type { Gateway } from './gateway.ts'
import type { Program } from './program.ts'
import type { Service } from './service.ts'

/** How likely a request is disturbed, at most times and in a storm. */
const usual = 0.08
const storm = 0.8

const kinds = ['founder', 'founder', 'contributor', 'contributor', 'storm', 'SIGKILL', 'SIGTERM'] as const

/** Whom the trouble is for. */
export interface Victims {
  service: Service
  programs: Record<'founder' | 'contributor', { program: Program; gateway: Gateway }>
}

/** Makes trouble at random until the signal aborts, then ends all of it. Returns how often each kind was made. */
export async function makeTrouble(
  { service, programs }: Victims,
  random: Random,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const pause = (least: number, most: number) =>
    delay(random.int(least, most), undefined, { signal }).catch(() => undefined)
  const times: Record<string, number> = {}
  const gateways = Object.values(programs).map(({ gateway }) => gateway)
  const setChance = (chance: number) => {
    for (const gateway of gateways) gateway.chance = chance
  }
  setChance(usual)
  for (;;) {
    await pause(3_000, 15_000)
    if (signal.aborted) break
    const kind = random.pick(kinds)
    times[kind] = (times[kind] ?? 0) + 1
    if (kind === 'storm') {
      setChance(storm)
      await pause(2_000, 12_000)
      setChance(usual)
    } else if (kind === 'founder' || kind === 'contributor') strike(programs[kind], random)
    else {
      await service.stop(kind)
      await pause(500, 8_000)
      await service.start()
    }
  }
  setChance(0)
  for (const gateway of gateways) gateway.atWrite = undefined
  return times
}

/** Kills a program now, or around what it writes next. */
function strike({ program, gateway }: Victims['programs']['founder'], random: Random): void {
  const when = random.pick(['now', 'before', 'after'] as const)
  if (when === 'now') program.kill()
  else gateway.atWrite = { when, act: program.kill }
}
