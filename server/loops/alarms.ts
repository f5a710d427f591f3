import { channel } from 'node:diagnostics_channel'
import type { Logger } from 'pino'

/** The channel on which alarms are published, for metrics. */
export const alarmChannel = 'bounty-marketplace:alarm'

/** What a person does about each fault that only a person can correct. */
const nextSteps = {
  /** A transaction, a payout or an activation waits for a person's decision. */
  needs_operator:
    'run the payouts command: show with this entityId. "Paid, but not by exactly this payout": the bounty was paid to somebody else and is not paid again; inform founder and contributor',
  /** The transaction of a withdrawal or an allowance does, or the chain has permanently taken a confirmed one back. */
  relay_needs_operator: 'run the payouts command: show with this entityId, then retry',
  fees_at_cap: 'compare with a block explorer; raise MAX_FEE_GWEI, or remove a node that suggests too much',
  gas_balance_low: 'send ether to the key',
  /** The platform wallet takes no payout of an operator key. */
  operator_removed:
    'its payouts go to the other operator keys, or wait. Add it again, or start without it; if you did not remove it, somebody has the key of the contract: see OPERATING.md',
  /** The contracts refuse a payout for a reason that neither founder nor contributor can mend. */
  payout_refused:
    'the error names the rule of the contracts. NotOperator: add the key again. Others mean that settings and contracts do not fit: run config:check',
  /** Transactions are left of an operator key that no process has. */
  key_missing: 'start a server that has the key, or wait until the chain has mined what was sent with it',
  /** The chain has used nonces that the database never gave out. */
  nonces_unbooked:
    'expected once after a restore, a failover or a call that you sent with the key; at any other time somebody else has the key: replace it',
  /** A node reports more used nonces than can be true. */
  nonces_implausible:
    'nothing is sent. Compare with a block explorer: if the node is wrong, remove it from CHAIN_RPC_URL; if it is right, continue with another operator key',
  /** A block that counted as final is no longer on the chain. */
  deep_reorg: 'raise FINALITY_BLOCKS; the service sends the lost transactions again',
  /** The chain has made payments that this database does not know, because the database fell back. */
  database_behind: 'payments of known submissions are settled with them; payment_unknown names the others',
  /** The chain has made a payment, or moved dollars, that matches no payout and no deposit of this database. */
  payment_unknown:
    'unless the database was just restored or failed over, an operator key is stolen: pause payouts at once, then see OPERATING.md',
  /** Half of the dollars were paid that the platform wallet pays in a day. */
  dollar_cap_near:
    'compare with the payouts of today. If they are right, the owner raises the cap: npm run contracts -- dollar-cap',
}

/** Kept here: Node 20 forgets the subscribers of a channel whose object was collected before. */
const listeners = channel(alarmChannel)

export type AlarmKind = keyof typeof nextSteps
export const alarmKinds = Object.keys(nextSteps) as AlarmKind[]

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
  return (alarm) => {
    const key = `${alarm.kind} ${alarm.lane} ${alarm.transaction ?? alarm.entityId ?? ''}`
    const last = raisedAt.get(key)
    if (last !== undefined && performance.now() - last < quietMs) return
    if (raisedAt.size >= mostRemembered) raisedAt.clear()
    raisedAt.set(key, performance.now())
    log.error({ ...alarm, next_step: nextSteps[alarm.kind] }, `NEEDS OPERATOR: ${alarm.why}`)
    listeners.publish(alarm)
  }
}
