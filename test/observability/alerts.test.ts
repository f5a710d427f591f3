/** @module-tag promtool */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { temporaryDirectory } from '../embedded/support.ts'
import { pathOf } from '../support/programs.ts'

/* The rules as Prometheus itself evaluates them, on series of one sample each 15 s. */
const rulesPath = join(import.meta.dirname, '../../server/observability/prometheus/alerts.yaml')
const groups: { rules: { alert: string }[] }[] = parse(await readFile(rulesPath, 'utf8')).groups
const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))

/** Values of series over time: what is quiet for ten minutes, and afterwards is not. */
type Series = Record<string, string>

/** From `quiet` to `loud` after ten minutes. */
const turns = (quiet: number | string, loud: number | string) => `${quiet}x39 ${loud}x400`
/** A counter that counts its first event then, and one of a process that has counted it before its first scrape. */
const firstEvent = '0x39 1x400'
const fromTheStart = '_x39 1x400'
const payouts = 'bounty_payouts_oldest_seconds{state="running"}'
const requests = (labels: string) => `bounty_http_request_duration_seconds_count{${labels}}`
const readFailures = (source: string) => `bounty_metrics_read_failures_total{source="${source}"}`
const hostCalls = (outcome: string) => `bounty_code_host_calls_total{outcome="${outcome}"}`
const grows = '0+0x39 1+1x400'

/** For each rule what it is about, and when it has to fire; default: after half an hour. */
const cases: Record<string, { series: Series; at?: string }> = {
  BountyServiceDown: { series: { 'bounty_info{instance="a"}': '1x39 _x400' } },
  BountyServerMissing: {
    series: { 'bounty_info{instance="a"}': '1x39 _x400', 'bounty_info{instance="b"}': '1x440' },
  },
  BountyPayoutUnpaidTooLong: { series: { [payouts]: turns(0, 901) } },
  BountyPayoutNeedsOperator: { series: { 'bounty_payouts{state="needs_operator"}': turns(0, 1) }, at: '11m' },
  BountyLaneStuck: { series: { 'bounty_lane_unmined_oldest_seconds{lane="0xa"}': turns(0, 601) } },
  BountyQueueStuck: { series: { bounty_transactions_queued_oldest_seconds: turns(0, 601) } },
  BountyGasLow: { series: { 'bounty_operator_payouts_affordable{lane="0xa"}': turns(100, 99) } },
  BountyGasNearlyGone: { series: { 'bounty_operator_payouts_affordable{lane="0xa"}': turns(10, 9) } },
  BountyPayoutsPaused: { series: { bounty_payouts_paused: turns(0, 1) } },
  BountyActivationsFailing: {
    series: { 'bounty_activations_failed{code="repository_failed"}': fromTheStart },
  },
  BountyPaymentsRecognized: {
    series: { 'bounty_payments_recognized_total{instance="a",outcome="settled"}': firstEvent },
    at: '11m',
  },
  BountyAlarm: { series: { 'bounty_alarms_total{instance="a",kind="fees_at_cap"}': firstEvent }, at: '11m' },
  BountyPaymentUnknown: {
    series: { 'bounty_alarms_total{instance="a",kind="payment_unknown"}': firstEvent },
    at: '11m',
  },
  BountyFollowerBehind: { series: { bounty_follower_lag_seconds: turns(120, 121) } },
  BountyWebhooksLate: { series: { bounty_webhooks_due_oldest_seconds: turns(300, 301) } },
  BountyCodeHostFailing: {
    series: { [hostCalls('unavailable')]: grows, [hostCalls('done')]: '0x440' },
  },
  BountyPullRequestsLate: { series: { bounty_pull_requests_due_oldest_seconds: turns(900, 901) } },
  BountyHeartStandsStill: { series: { bounty_heartbeat_age_seconds: turns(60, 61) } },
  BountyEventsStandStill: { series: { bounty_event_log_lag_seconds: turns(60, 61) } },
  BountyFoundersShortOfFunds: {
    series: { 'bounty_payouts_failed{code="insufficient_funds"}': fromTheStart },
    at: '80m',
  },
  BountyChainUnreachable: { series: { 'bounty_chain_state{instance="a",state="unreachable"}': turns(0, 1) } },
  BountyChainMisconfigured: {
    series: { 'bounty_chain_state{instance="a",state="misconfigured"}': turns(0, 1) },
  },
  BountyChainUnreadable: { series: { [readFailures('chain')]: grows } },
  BountyChainStandsStill: { series: { bounty_chain_head_block: '1+1x39 40x400' } },
  BountyDatabaseUnreadable: { series: { [readFailures('database')]: grows } },
  BountyPayoutsFailing: { series: { 'bounty_payouts_failed{code="payout_failed"}': fromTheStart } },
  BountyServerRestarts: {
    series: { 'process_start_time_seconds{instance="a"}': '1x39 2 3 4 5x400' },
    at: '12m',
  },
  BountyHostWebhooksRefused: {
    series: {
      [requests('operation="github.webhook",status="401"')]: grows,
      [requests('operation="github.webhook",status="202"')]: '0x440',
    },
  },
  BountyClockWrong: { series: { 'bounty_clock_offset_seconds{instance="a"}': turns(0, -6) } },
  BountyPoolExhausted: { series: { 'bounty_database_pool_waiting{instance="a"}': turns(0, 1) } },
  BountyServerErrors: {
    series: {
      [requests('operation="bounties.get",status="500"')]: grows,
      [requests('operation="bounties.get",status="200"')]: '0+9x440',
    },
  },
  BountyMoneyInternalErrors: {
    series: { [requests('instance="a",operation="bounties.approve",status="500"')]: firstEvent },
    at: '11m',
  },
  BountySheddingLoad: {
    series: { 'bounty_requests_shed_total{instance="a",operation="bounties.list"}': '0x39 30+30x400' },
  },
  BountyEventLoopBusy: { series: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': turns(0.1, 0.3) } },
}

/** Runs promtool; its output says which rule did not do what was expected. */
async function evaluate(
  states: { alert: string; series: Series; at: string; fires: boolean }[],
): Promise<void> {
  const path = join(await temporaryDirectory(), 'tests.yaml')
  const tests = states.map(({ alert, series, at, fires }) => ({
    name: `${alert} at ${at}`,
    interval: '15s',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
        eval_time: at,
        exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }],
      },
    ],
  }))
  await writeFile(path, stringify({ rule_files: [rulesPath], evaluation_interval: '15s', tests }))
  const outcome = await promisify(execFile)(pathOf('promtool') as string, ['test', 'rules', path]).catch(
    (failure: { stdout: string; stderr: string }) => failure,
  )
  expect(outcome.stderr + outcome.stdout).toContain('SUCCESS')
}

test('every rule has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(alerts.toSorted())
})

test('each rule fires on what it is about, and is quiet before', async () => {
  await evaluate(
    Object.entries(cases).flatMap(([alert, { series, at = '30m' }]) => [
      { alert, series, at, fires: true },
      { alert, series, at: '9m', fires: false },
    ]),
  )
})

const ofPages = [
  'BountyPaymentsRecognized',
  'BountyAlarm',
  'BountyPaymentUnknown',
  'BountyMoneyInternalErrors',
]
const countersOf = (values: string) =>
  ofPages.map((alert) => {
    const [name = ''] = Object.keys(cases[alert]?.series ?? {})
    return { alert, series: { [name]: values } }
  })

test('the first event of a process fires, also before its first scrape', async () => {
  await evaluate(countersOf(fromTheStart).map((each) => ({ ...each, at: '11m', fires: true })))
})

test('a restart and silence fire nothing', async () => {
  const times = ['70m', '71m', '75m']
  const restarts = countersOf('5x279 0x200')
  await evaluate(restarts.flatMap((each) => times.map((at) => ({ ...each, at, fires: false }))))
  const info = { 'bounty_info{instance="a"}': '1x440' }
  await evaluate(alerts.map((alert) => ({ alert, series: info, at: '60m', fires: false })))
})
