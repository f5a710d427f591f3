import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { repositoryErrorKinds } from '../code/host/error.ts'
import { failureCategories } from '../events/webhooks/deliveries/endpoint.ts'
import { webhookOperation } from '../http/github-webhook.ts'
import { alarmKinds } from '../loops/alarms.ts'
import { recognizedOutcomes } from '../money/payouts/recognize/recognize.ts'

/** In seconds. Approvals and activations wait for the chain, everything else for the database. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Responses of which alerts want to see the first, too. */
const watchedResponses = [
  ['bounties.approve', '500'],
  ['projects.activate', '500'],
  [webhookOperation, '401'],
  [webhookOperation, '202'],
] as const

/** Every metric of the service, except those of the Node process. */
export type Metrics = ReturnType<typeof createMetrics>

/** Creates the metrics in a registry of their own. A label has few values: never an id, a caller's address or a text. */
export function createMetrics() {
  const registry = new Registry()
  // The default of 10 ms wakes an idle process a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  const registers = [registry]
  const gauge: CreateGauge = (name, help, ...labelNames) =>
    new Gauge({ name: `bounty_${name}`, help, labelNames, registers })
  return {
    registry,
    ...countersOfProcess(registers),
    clockOffset: gauge(
      'clock_offset_seconds',
      "How far this machine's clock is ahead of the database's; below zero: behind it",
    ),
    info: gauge('info', 'Always 1; the version is in the label', 'version'),
    pool: gauge('database_pool_connections', 'Connections of this process to the database', 'state'),
    poolWaiting: gauge('database_pool_waiting', 'Queries waiting for a connection'),
    ...gaugesOfDatabase(gauge),
    ...gaugesOfChain(gauge),
  }
}

type CreateGauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => Gauge<Label>

/** What this process has done. */
function countersOfProcess(registers: Registry[]) {
  /** Values that are known start at 0: `increase` does not see the first event of a series that begins with it. */
  const counter = <Label extends string>(
    name: string,
    help: string,
    label: Label,
    values: readonly string[] = [],
  ) => {
    const created = new Counter({ name: `bounty_${name}_total`, help, labelNames: [label], registers })
    for (const value of values) created.inc({ [label]: value } as Record<Label, string>, 0)
    return created
  }
  const requests = new Histogram({
    name: 'bounty_http_request_duration_seconds',
    help: 'Duration of responses by operation and status',
    labelNames: ['operation', 'status'],
    buckets: durationBuckets,
    registers,
  })
  for (const [operation, status] of watchedResponses) requests.zero({ operation, status })
  return {
    requests,
    shed: counter(
      'requests_shed',
      'Requests refused with overloaded because too many were being served',
      'operation',
    ),
    steps: counter('steps', 'Steps of payouts, activations and webhooks that this process has done', 'step'),
    alarms: counter(
      'alarms',
      'Alarms that need an operator, by kind; a lasting alarm counts once a minute',
      'kind',
      alarmKinds,
    ),
    paymentsRecognized: counter(
      'payments_recognized',
      'Payments on the chain that the database did not know: settled with their submission, or left to an operator',
      'outcome',
      recognizedOutcomes,
    ),
    readFailures: counter(
      'metrics_read_failures',
      'Scrapes that could not read the database or the chain; their metrics keep the last values',
      'source',
      ['database', 'chain'],
    ),
    codeHostCalls: counter(
      'code_host_calls',
      'Calls of this process to the code host, by outcome: done, or why it failed',
      'outcome',
      ['done', ...repositoryErrorKinds],
    ),
    webhookAttempts: counter(
      'webhook_attempts',
      'Attempts of this process to deliver an event to a webhook, by outcome: delivered, or why it failed',
      'outcome',
      ['delivered', ...failureCategories],
    ),
  }
}

/** Unfinished work that the database has stored, for all processes. */
function gaugesOfDatabase(gauge: CreateGauge) {
  return {
    payouts: gauge(
      'payouts',
      'Payouts by state, except settled ones, which bounty_payouts_settled counts',
      'state',
    ),
    payoutAge: gauge(
      'payouts_oldest_seconds',
      'Time since the last change of the oldest payout in a state',
      'state',
    ),
    payoutsFailed: gauge(
      'payouts_failed',
      'Failed payouts that wait for their founder, by error code',
      'code',
    ),
    payoutsSettled: gauge('payouts_settled', 'Payouts that are settled'),
    activations: gauge('activations', 'Activations by state, except done ones', 'state'),
    activationsFailed: gauge(
      'activations_failed',
      'Activations that failed in the last hour and were not started again, by error code',
      'code',
    ),
    queued: gauge('transactions_queued', 'Transactions that wait for an operator key'),
    queuedAge: gauge(
      'transactions_queued_oldest_seconds',
      'Age of the oldest payout or deploy that waits for an operator key',
    ),
    heartbeatAge: gauge(
      'heartbeat_age_seconds',
      'Time since the last heartbeat of any process; while it stands still no claim lapses',
    ),
    eventLogLag: gauge(
      'event_log_lag_seconds',
      'Age of the oldest entry of the log that has no position yet; no reader sees it before',
    ),
    pullRequestsDueAge: gauge(
      'pull_requests_due_oldest_seconds',
      'How long the pull request that is due first has waited to be read again',
    ),
    webhooksPending: gauge(
      'webhook_deliveries_pending',
      'Deliveries that have not arrived and are tried again',
    ),
    webhooksFailing: gauge('webhooks_failing', 'Webhooks at which nothing arrives'),
    webhooksDueAge: gauge(
      'webhooks_due_oldest_seconds',
      'How long the delivery that is due first has waited for a process to take it up',
    ),
  }
}

/** The chain, and the operator keys on it. */
function gaugesOfChain(gauge: CreateGauge) {
  return {
    nonce: gauge('lane_next_nonce', 'Next nonce of the operator key', 'lane'),
    unmined: gauge('lane_unmined', 'Transactions of the operator key that are sent but not mined', 'lane'),
    unminedAge: gauge(
      'lane_unmined_oldest_seconds',
      'Age of the oldest unmined transaction of the operator key',
      'lane',
    ),
    balance: gauge('operator_balance_ether', 'Gas balance of the operator key', 'lane'),
    affordable: gauge(
      'operator_payouts_affordable',
      'Payouts that the operator key can fund at current fees',
      'lane',
    ),
    head: gauge('chain_head_block', 'Number of the newest block'),
    followerBlock: gauge('follower_block', 'Number of the newest block whose logs are stored'),
    followerLag: gauge(
      'follower_lag_seconds',
      'Time since the logs of the newest block were last known to be stored',
    ),
    chainState: gauge(
      'chain_state',
      '1 for the current state of the connection to the chain: not_configured, unreachable, misconfigured or ready',
      'state',
    ),
    paused: gauge('payouts_paused', '1 while the contract or the settings refuse all payouts'),
  }
}
