import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds; approvals and activations wait for the chain, everything else for the database. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Every metric of the service beside those of the Node process itself. */
export type Metrics = ReturnType<typeof createMetrics>

/** The metrics in a registry of their own. Labels have few values: never an id, an address of a caller or a text. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `bounty_${name}`, help, labelNames, registers })
  return {
    registry,
    info: gauge('info', 'Always 1; the version is in the label', ['version']),
    requests: new Histogram({
      name: 'bounty_http_request_duration_seconds',
      help: 'Answers by operation and status, with the time they took',
      labelNames: ['operation', 'status'],
      buckets: durationBuckets,
      registers,
    }),
    shed: new Counter({
      name: 'bounty_requests_shed_total',
      help: 'Requests answered overloaded because too many were being served',
      labelNames: ['operation'],
      registers,
    }),
    steps: new Counter({
      name: 'bounty_steps_total',
      help: 'Steps that payouts and activations took in this process',
      labelNames: ['step'],
      registers,
    }),
    alarms: new Counter({
      name: 'bounty_alarms_total',
      help: 'Alarms for a person, by what they are about; one that goes on is counted once a minute',
      labelNames: ['kind'],
      registers,
    }),
    paymentsRecognized: new Counter({
      name: 'bounty_payments_recognized_total',
      help: 'Payments on the chain that the database did not know: settled with their submission, or left to a person',
      labelNames: ['outcome'],
      registers,
    }),
    readFailures: new Counter({
      name: 'bounty_metrics_read_failures_total',
      help: 'Scrapes for which the database or the chain could not be read; their metrics keep the last values',
      labelNames: ['source'],
      registers,
    }),
    pool: gauge('database_pool_connections', 'Connections of this process to the database', ['state']),
    poolWaiting: gauge('database_pool_waiting', 'Queries waiting for a connection'),
    replicaReads: new Counter({
      name: 'bounty_database_replica_reads_total',
      help: 'Public reads by who answered: the replica, or the primary because the replica lagged or was down',
      labelNames: ['outcome'],
      registers,
    }),
    payouts: gauge('payouts', 'Payouts by state; settled ones are counted by bounty_payouts_settled', [
      'state',
    ]),
    payoutAge: gauge('payouts_oldest_seconds', 'Time since the oldest payout of a state changed', ['state']),
    payoutsFailed: gauge('payouts_failed', 'Failed payouts, waiting for the founder, by error code', [
      'code',
    ]),
    payoutsSettled: gauge('payouts_settled', 'Payouts made'),
    activations: gauge('activations', 'Activations by state, done ones left out', ['state']),
    activationsFailed: gauge(
      'activations_failed',
      'Activations that failed in the last hour and were not begun again, by error code',
      ['code'],
    ),
    activationAge: gauge(
      'activations_oldest_seconds',
      'Time since the oldest activation of a state changed',
      ['state'],
    ),
    queued: gauge('transactions_queued', 'Transactions that no lane has taken yet'),
    queuedAge: gauge('transactions_queued_oldest_seconds', 'Age of the oldest of them'),
    nonce: gauge('lane_next_nonce', 'Nonce the lane uses next', ['lane']),
    unmined: gauge('lane_unmined', 'Transactions sent and not mined', ['lane']),
    unminedAge: gauge('lane_unmined_oldest_seconds', 'Age of the oldest of them', ['lane']),
    balance: gauge('operator_balance_ether', 'Gas money of an operator key', ['lane']),
    affordable: gauge('operator_payouts_affordable', 'Payouts it pays the gas of at present fees', ['lane']),
    head: gauge('chain_head_block', 'Newest block of the chain'),
    chainState: gauge(
      'chain_state',
      '1 for where this process stands with its chain: not_configured, unreachable, misconfigured or ready',
      ['state'],
    ),
    paused: gauge('payouts_paused', '1 while the contract or the operator refuses all payouts'),
  }
}
