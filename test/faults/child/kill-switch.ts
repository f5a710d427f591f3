import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { stepChannel } from '../../../server/steps.ts'

/** What happens when a step is reached for the `nth` time in this process. */
export interface Switch {
  step: string
  nth: number
  action: 'kill' | 'stop'
}

/** Ends or stops this process at the named steps. The service knows nothing of it: it only tells its steps. */
export function armKillSwitches(switches: Switch[]): void {
  const seen = new Map<string, number>()
  subscribe(stepChannel, (message) => {
    const { step } = message as { step: string }
    const count = (seen.get(step) ?? 0) + 1
    seen.set(step, count)
    const hit = switches.find((one) => one.step === step && one.nth === count)
    if (!hit) return
    writeSync(1, `@${hit.action} ${step}\n`)
    process.kill(process.pid, hit.action === 'kill' ? 'SIGKILL' : 'SIGSTOP')
  })
}
