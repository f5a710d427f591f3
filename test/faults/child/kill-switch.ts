import { subscribe } from 'node:diagnostics_channel'
import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { stepChannel } from '../../../server/loops/crash-steps.ts'

/** What happens when a step is reached for the `nth` time in this process. */
export interface Switch {
  step: string
  nth: number
  action: 'kill' | 'stop'
  /** It strikes only the first process with a switch of this name to get there. */
  once?: string
  /** Steps count from the moment on at which a file of this name is in the folder that the processes share. */
  armed?: string
}

/** In the folder that the processes of a schedule share: from here on no switch strikes. */
export const disarmed = 'disarmed'

/**
 * Ends or stops this process at the named steps. The service does not know about it: it only publishes its steps.
 * In `directory` the processes of a schedule record which switches have struck.
 */
export function armKillSwitches(switches: Switch[], directory?: string): void {
  const seen = new Map<Switch, number>()
  const isDue = (one: Switch): boolean => {
    if (one.armed !== undefined && !existsSync(join(directory ?? '', one.armed))) return false
    const count = (seen.get(one) ?? 0) + 1
    seen.set(one, count)
    return one.nth === count
  }
  subscribe(stepChannel, (message) => {
    const { step } = message as { step: string }
    const hit = switches
      .filter((one) => one.step === step && isDue(one))
      .find((one) => isFirst(one, directory))
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
