import { type InsertObject, type Selectable, sql, type UpdateObject } from 'kysely'
import type { DB } from '../../db/generated/tables.ts'
import { noLease } from '../../db/lease.ts'

/** The table of each kind of order: money that is moved or locked, or contracts that are deployed, by transactions of the operator keys. */
interface Tables {
  payout: 'payouts'
  activation: 'activations'
  relay: 'relays'
  deposit: 'deposits'
}
export type OrderKind = keyof Tables
/** Columns of an order. Its status is written by an edge alone. */
export type Columns<Kind extends OrderKind> = Omit<UpdateObject<DB, Tables[Kind]>, 'status'>
type Status<Kind extends OrderKind> = {
  payout: Selectable<DB['payouts']>['status']
  activation: Selectable<DB['activations']>['status']
  relay: Selectable<DB['relays']>['status']
  deposit: Selectable<DB['deposits']>['status']
}[Kind]

/** A request, a loop beside the lanes, the lane of an operator key, the sweep of relays, or an operator's command. */
type Writer = 'request' | 'loop' | 'lane' | 'sweep' | 'operator'

/** A way in which an order moves. */
export interface Edge<Kind extends OrderKind> {
  /** The statuses that it leads from; null where it stores the order. */
  from: readonly (Status<Kind> | null)[]
  to: Status<Kind>
  by: readonly Writer[]
  /** What has to be known before, in words. */
  evidence: string
  /** Columns that it writes beside those of the caller. */
  set?: Columns<Kind>
}

export interface Order<Kind extends OrderKind> {
  table: Tables[Kind]
  key: keyof DB[Tables[Kind]]
  /** What each status means for other columns. */
  at: Record<Status<Kind>, Columns<Kind>>
  /** Each kind begins, succeeds by `settle`, may `fail`, and is sent again by `resume`. */
  edges: Record<string, Edge<Kind>> & Record<'begin' | 'settle' | 'fail' | 'resume', Edge<Kind>>
}

const noError = { error_code: null, error: null }
const now = sql<Date>`clock_timestamp()`
const allDead = 'none of its transactions can be mined any more'
const contradiction = 'the chain contradicts what was signed, or has used the nonce for something else'

const payout = {
  table: 'payouts',
  key: 'submission_id',
  at: {
    running: { ...noError, settled_at: null },
    settled: { ...noError, settled_at: sql<Date>`coalesce(payouts.settled_at, clock_timestamp())` },
    failed: {},
    needs_operator: { error_code: null, settled_at: null },
  },
  edges: {
    begin: {
      from: [null, 'failed'],
      to: 'running',
      by: ['request', 'loop', 'lane'],
      evidence:
        'the founder approves, the work was merged, or the chain shows a payment that this database has lost',
      set: { round: sql<number>`payouts.round + 1`, begun_at: now },
    },
    settle: {
      from: ['running', 'settled', 'failed', 'needs_operator'],
      to: 'settled',
      by: ['lane'],
      evidence:
        "the chain has made exactly this payment: at the confirmation depth by a transaction of its own, in a final block by somebody else's",
    },
    fail: {
      from: ['running', 'needs_operator'],
      to: 'failed',
      by: ['lane'],
      evidence: `the chain refuses it, and ${allDead}`,
    },
    requeue: {
      from: ['running'],
      to: 'running',
      by: ['lane'],
      evidence: 'no process has the key that its transaction waits for',
    },
    resume: {
      from: ['running', 'needs_operator'],
      to: 'running',
      by: ['operator'],
      evidence: `${allDead}, and the chain has not paid it`,
      set: { round: sql<number>`payouts.round + 1` },
    },
    callOperator: {
      from: ['running', 'settled'],
      to: 'needs_operator',
      by: ['lane'],
      evidence: contradiction,
    },
    dispute: {
      from: ['running', 'settled', 'failed'],
      to: 'needs_operator',
      by: ['lane'],
      evidence: 'the chain has paid it after its review had ended without a payment',
    },
  },
} as const satisfies Order<'payout'>

const activation = {
  table: 'activations',
  key: 'project_id',
  at: {
    running: noError,
    done: noError,
    failed: { gas_reserved_wei: '0', lease_until: noLease },
    needs_operator: { error_code: null },
  },
  edges: {
    begin: {
      from: [null, 'failed'],
      to: 'running',
      by: ['request'],
      evidence: 'the founder asks for it',
      set: { round: sql<number>`activations.round + 1`, started_at: now, transaction_id: null },
    },
    settle: {
      from: ['running', 'failed', 'needs_operator'],
      to: 'done',
      by: ['loop', 'lane'],
      evidence: 'the chain has the contracts at their addresses, at the confirmation depth',
    },
    fail: {
      from: ['running', 'needs_operator'],
      to: 'failed',
      by: ['loop', 'lane'],
      evidence: `the code host or the chain refuses it, or its gas is not left, and ${allDead}`,
    },
    resume: {
      from: ['running', 'needs_operator'],
      to: 'running',
      by: ['lane', 'operator'],
      evidence: allDead,
      set: { transaction_id: null, lease_until: noLease },
    },
    callOperator: {
      from: ['running', 'done'],
      to: 'needs_operator',
      by: ['lane'],
      evidence: `${contradiction}, or has taken the contracts back`,
    },
  },
} as const satisfies Order<'activation'>

const relay = {
  table: 'relays',
  key: 'id',
  at: {
    running: { tx_hash: null, amount_moved: null, eth_paid: null },
    confirmed: { ...noError, confirmed_at: sql<Date>`coalesce(relays.confirmed_at, clock_timestamp())` },
    failed: {},
  },
  edges: {
    begin: {
      from: [null],
      to: 'running',
      by: ['request', 'loop'],
      evidence:
        'its agent asks for it, and the wallet has signed it; or the chain shows a deposit that this database has lost',
    },
    settle: {
      from: ['running'],
      to: 'confirmed',
      by: ['sweep'],
      evidence:
        "the chain has used its nonce as asked: at the confirmation depth by a transaction of its own, in a final block by somebody else's",
    },
    fail: {
      from: ['running'],
      to: 'failed',
      by: ['sweep'],
      evidence: 'a final block shows that its nonce was cancelled, used by another signature, or has expired',
    },
    refuse: {
      from: ['running'],
      to: 'running',
      by: ['lane'],
      evidence: 'the chain refuses its call for now',
    },
    resume: {
      from: ['running'],
      to: 'running',
      by: ['operator'],
      evidence: allDead,
    },
    reopen: {
      from: ['confirmed', 'failed'],
      to: 'running',
      by: ['lane'],
      evidence:
        'the chain no longer has the transaction that confirmed it, or has made it after it was reported failed',
    },
  },
} as const satisfies Order<'relay'>

const unlocked = { locked_until: null, fund_tx: null }

const deposit = {
  table: 'deposits',
  key: 'bounty_id',
  at: {
    queued: { ...noError, ...unlocked },
    locked: noError,
    failed: unlocked,
    paid: noError,
    refunding: noError,
    refunded: noError,
  },
  edges: {
    begin: {
      from: [null, 'failed'],
      to: 'queued',
      by: ['request', 'loop'],
      evidence:
        'the founder asks for it, and the founder wallet has signed it; or the chain shows one that this database has lost',
    },
    settle: {
      from: ['queued'],
      to: 'locked',
      by: ['sweep'],
      evidence: 'its relay is confirmed, in the same transaction: the platform wallet has the dollars',
    },
    fail: {
      from: ['queued'],
      to: 'failed',
      by: ['sweep'],
      evidence: 'its relay has failed, in the same transaction: nobody can use the signature any more',
    },
    reopen: {
      from: ['locked', 'failed', 'refunding'],
      to: 'queued',
      by: ['lane'],
      evidence: 'its relay runs again: the chain has taken it back, or has made it after it had failed',
    },
    pay: {
      from: ['queued', 'locked', 'failed', 'paid', 'refunding', 'refunded'],
      to: 'paid',
      by: ['lane'],
      evidence: 'the chain has paid them with the tokens; the payout is settled in the same transaction',
    },
    refund: {
      from: ['locked'],
      to: 'refunding',
      by: ['loop'],
      evidence: 'the bounty is cancelled or the lock is over, and no payout of it is running',
    },
    settleRefund: {
      from: ['locked', 'refunding', 'refunded'],
      to: 'refunded',
      by: ['lane'],
      evidence:
        "the platform wallet has returned them: at the confirmation depth by a transaction of its own, in a final block by somebody else's",
    },
    putOff: {
      from: ['refunding', 'refunded'],
      to: 'locked',
      by: ['lane'],
      evidence: 'the chain refuses the refund, or has taken it back; it is tried again later',
      set: { end_tx: null },
    },
    resume: {
      from: ['refunding'],
      to: 'refunding',
      by: ['operator'],
      evidence: allDead,
    },
  },
} as const satisfies Order<'deposit'>

/**
 * What becomes of each kind of order after it is asked for: one row for each way in which it moves. Only move.ts writes these tables,
 * and a status only by a row of this one. The triggers of the database and the table in server/README.md are compared with it.
 */
export const orders = { payout, activation, relay, deposit } as const

/** The name of an edge of a kind. */
export type EdgeOf<Kind extends OrderKind> = Exclude<keyof (typeof orders)[Kind]['edges'], 'begin'>
/** The primary key and the columns with which an order begins. */
export type NewOrder<Kind extends OrderKind> = InsertObject<DB, Tables[Kind]>
