import { channel } from 'node:diagnostics_channel'
import type { Logger } from 'pino'

/** The channel on which every alarm is told, for whatever counts or forwards them. */
export const alarmChannel = 'bounty-marketplace:alarm'

/** What is wrong in a way that only a person can put right. */
export type AlarmKind =
  /** A transaction or a payout waits for a person's decision. */
  | 'needs_operator'
  /** Fees are as high as they may go and the transaction is still not mined. */
  | 'fees_at_cap'
  /** An operator key cannot pay for gas. */
  | 'gas_balance_low'
  /** Work is left that belongs to an operator key no process has. */
  | 'key_missing'
  /** The chain has used nonces that the database never gave out: it fell back, or somebody else has the key. */
  | 'nonces_unbooked'
  /** A node names more used nonces than can be true. */
  | 'nonces_implausible'
  /** A block that counted as final is no longer on the chain. */
  | 'deep_reorg'
  /** The chain has made payments that this database does not know: it fell back. */
  | 'database_behind'
  /** The chain has paid what this database does not know, or what it has promised to somebody else. */
  | 'payment_unknown'

/** One alarm and what it is about. */
export interface Alarm {
  kind: AlarmKind
  /** Address of the operator key; absent where it is not about one. */
  lane?: string
  transaction?: number
  /** Submission or project id. */
  entityId?: string | null
  why: string
}

/** Raises an alarm, loudly; what goes on is told once a minute. */
export type RaiseAlarm = (alarm: Alarm) => void

const quietMs = 60_000
const mostRemembered = 10_000

export function createAlarms(log: Logger): RaiseAlarm {
  const told = new Map<string, number>()
  const listeners = channel(alarmChannel)
  return (alarm) => {
    const key = `${alarm.kind} ${alarm.lane} ${alarm.transaction ?? alarm.entityId ?? ''}`
    const last = told.get(key)
    if (last !== undefined && performance.now() - last < quietMs) return
    if (told.size >= mostRemembered) told.clear()
    told.set(key, performance.now())
    log.error(alarm, `NEEDS OPERATOR: ${alarm.why}`)
    listeners.publish(alarm)
  }
}
