import { subscribe } from 'node:diagnostics_channel'
import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { stepChannel } from '../../../server/engines/events.ts'

/** What happens when a step is reached for the `nth` time in this process. */
export interface Switch {
  step: string
  nth: number
  action: 'kill' | 'stop'
  /** Of all processes with a switch of this name it strikes only the first to get there. */
  once?: string
}

/** In the folder that the processes of a schedule share: from here on no switch strikes. */
export const disarmed = 'disarmed'

/**
 * Ends or stops this process at the named steps. The service does not know about it: it only publishes its steps.
 * In `directory` the processes of a schedule record which switches have struck.
 */
export function armKillSwitches(switches: Switch[], directory?: string): void {
  const seen = new Map<string, number>()
  subscribe(stepChannel, (message) => {
    const { step } = message as { step: string }
    const count = (seen.get(step) ?? 0) + 1
    seen.set(step, count)
    const hit = switches.find((one) => one.step === step && one.nth === count && isFirst(one, directory))
    if (!hit) return
    writeSync(1, `@${hit.action} ${step}\n`)
    process.kill(process.pid, hit.action === 'kill' ? 'SIGKILL' : 'SIGSTOP')
  })
}

function isFirst({ once }: Switch, directory?: string): boolean {
  if (directory === undefined) return true
  if (existsSync(join(directory, disarmed))) return false
  if (once === undefined) return true
  try {
    closeSync(openSync(join(directory, `struck-${once}`), 'wx'))
    return true
  } catch {
    return false
  }
}
