import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Acknowledgement, Ledger } from './ledger.ts'
import type { Problems } from './problems.ts'
import { mayRepeat, type Reply, sendOnce } from './requests.ts'

interface RepeaterOptions {
  /** Address of each request in turn. */
  addresses: string[]
  ledger: Ledger
  problems: Problems
  /** Called with each response that was compared. */
  onRepeat(): void
  signal: AbortSignal
}

const pauseMs = 150
/** Writes among which it picks, counted from the newest. */
const newest = 40

/** Repeats acknowledged writes with their keys all the time: the response must be the first one again. */
export async function runRepeater(options: RepeaterOptions): Promise<void> {
  const { addresses, ledger, problems, signal } = options
  for (let turn = 0; !signal.aborted; turn++) {
    const recent = ledger.acknowledgements.slice(-newest)
    const picked = recent[(turn * 13) % Math.max(1, recent.length)]
    const epoch = problems.epoch()
    if (picked) {
      const reply = await sendOnce(addresses[turn % addresses.length]!, picked.write, signal)
      if (!mayRepeat(reply)) {
        for (const problem of differences(picked, reply)) problems.add(problem, epoch)
        options.onRepeat()
      }
    }
    await delay(pauseMs)
  }
}

/** What is wrong with the response to a repeated request. */
export function differences({ write, reply: first }: Acknowledgement, again: Reply): string[] {
  const what = `a repeated write to ${write.path}`
  if (again.status !== first.status) return [`${what} got ${again.status} ${again.body?.error?.code}`]
  const lines: string[] = []
  if (!again.isReplayed) lines.push(`${what} was done again`)
  if (!isDeepStrictEqual(again.body, first.body)) lines.push(`${what} got another response than at first`)
  return lines
}
