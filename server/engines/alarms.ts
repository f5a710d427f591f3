import { channel } from 'node:diagnostics_channel'
import type { Logger } from 'pino'

/** The channel on which alarms are published, for metrics. */
export const alarmChannel = 'bounty-marketplace:alarm'

/** A fault that only a person can correct. */
export type AlarmKind =
  /** A transaction, a payout or an activation waits for a person's decision. */
  | 'needs_operator'
  /** The transaction of a withdrawal or an allowance does, or the chain has permanently taken a confirmed one back. */
  | 'relay_needs_operator'
  /** Fees have reached their cap and the transaction is still not mined. */
  | 'fees_at_cap'
  /** An operator key cannot pay for gas. */
  | 'gas_balance_low'
  /** Transactions are left of an operator key that no process has. */
  | 'key_missing'
  /** The chain has used nonces that the database never gave out: it fell back, or somebody else has the key. */
  | 'nonces_unbooked'
  /** A node reports more used nonces than can be true. */
  | 'nonces_implausible'
  /** A block that counted as final is no longer on the chain. */
  | 'deep_reorg'
  /** The chain has made payments that this database does not know, because the database fell back. */
  | 'database_behind'
  /** The chain has made a payment that matches no payout of this database. */
  | 'payment_unknown'

/** One alarm. */
export interface Alarm {
  kind: AlarmKind
  /** Address of the operator key that it is about. */
  lane?: string
  transaction?: number
  /** Submission, project or relay id. */
  entityId?: string | null
  why: string
}

/** Logs and publishes an alarm; repeats it at most once a minute. */
export type RaiseAlarm = (alarm: Alarm) => void

const quietMs = 60_000
const mostRemembered = 10_000

/** Creates alarms on `log` and {@link alarmChannel}. */
export function createAlarms(log: Logger): RaiseAlarm {
  const raisedAt = new Map<string, number>()
  const listeners = channel(alarmChannel)
  return (alarm) => {
    const key = `${alarm.kind} ${alarm.lane} ${alarm.transaction ?? alarm.entityId ?? ''}`
    const last = raisedAt.get(key)
    if (last !== undefined && performance.now() - last < quietMs) return
    if (raisedAt.size >= mostRemembered) raisedAt.clear()
    raisedAt.set(key, performance.now())
    log.error(alarm, `NEEDS OPERATOR: ${alarm.why}`)
    listeners.publish(alarm)
  }
}
