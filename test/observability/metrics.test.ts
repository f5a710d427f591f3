import { channel } from 'node:diagnostics_channel'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { createPool } from '../../server/db/client.ts'
import { sequenceEntries } from '../../server/events/log/sequence.ts'
import { recordActivity } from '../../server/events/record.ts'
import { attemptChannel } from '../../server/events/webhooks/deliveries/round.ts'
import { newId } from '../../server/ids.ts'
import { createMetrics } from '../../server/observability/metrics.ts'
import { observe } from '../../server/observability/observe.ts'
import { createTestMarket, type TestMarketOptions } from '../support/market.ts'
import { createRows } from '../support/rows.ts'
import { until } from '../support/until.ts'

const folder = join(import.meta.dirname, '../../server/observability/prometheus')

/** An observed market with its log; `scrape` reads its metrics, `name{labels}` to value. */
async function observed(options: TestMarketOptions = {}) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const market = await createTestMarket({ proxied: true, log, settings: { METRICS_PORT: '0' }, ...options })
  const pool = createPool(market.databaseUrl, { size: 2 })
  const watching = await observe({ connections: market.services, pool, embedded: undefined })
  onTestFinished(async () => {
    await watching.stop()
    await pool.end()
    await market.close()
  })
  const scrape = async () => {
    const response = await fetch(`http://127.0.0.1:${watching.metricsPort}/metrics`)
    expect(response.headers.get('content-type')).toContain('text/plain')
    const samples = [...(await response.text()).matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)]
    return new Map(samples.map(([, name, value]) => [name, Number(value)]))
  }
  return { market, watching, lines, scrape }
}

test('payouts, lanes, gas balance and chain are in the metrics', async () => {
  const { market, watching, scrape } = await observed()
  await market.doneBounty()
  await until(async () => {
    const follower = await market.db.selectFrom('followers').select('head_block').executeTakeFirst()
    return (follower?.head_block ?? 0) > 0
  })
  await market.stopEngines()
  watching.onResponse({ operation: 'bounties.claim', status: 200, seconds: 0.02 })
  watching.onResponse({ operation: undefined, status: 404, seconds: 0.001 })
  const metrics = await scrape()
  const { address } = market.services.chain.require().operators[0]!
  const lane = `{lane="${address.toLowerCase()}"}`
  expect(metrics.get('bounty_payouts_settled')).toBe(1)
  expect(metrics.get('bounty_payouts{state="running"}')).toBe(0)
  expect(metrics.get(`bounty_lane_next_nonce${lane}`)).toBe(2)
  expect(metrics.get(`bounty_lane_unmined${lane}`)).toBe(0)
  expect(metrics.get(`bounty_operator_balance_ether${lane}`)).toBeCloseTo(1000, 1)
  expect(metrics.get(`bounty_operator_payouts_affordable${lane}`)).toBeGreaterThan(1000)
  expect(metrics.get('bounty_chain_head_block')).toBeGreaterThan(0)
  expect(metrics.get('bounty_follower_block')).toBeGreaterThan(0)
  expect(metrics.get('bounty_follower_lag_seconds')).toBeGreaterThanOrEqual(0)
  expect(metrics.get('bounty_heartbeat_age_seconds')).toBeGreaterThanOrEqual(0)
  expect(metrics.get('bounty_event_log_lag_seconds')).toBeGreaterThanOrEqual(0)
  expect(metrics.get('bounty_chain_state{state="ready"}')).toBe(1)
  expect(metrics.get('bounty_chain_state{state="unreachable"}')).toBe(0)
  expect(metrics.get('bounty_steps_total{step="attempt sent"}')).toBeGreaterThanOrEqual(2)
  const responses = 'bounty_http_request_duration_seconds_count'
  expect(metrics.get(`${responses}{operation="bounties.claim",status="200"}`)).toBe(1)
  expect(metrics.get(`${responses}{operation="none",status="404"}`)).toBe(1)
  expect(metrics.get('bounty_database_pool_waiting')).toBe(0)
})

test('webhooks that wait, that fail and what became of each attempt are in the metrics', async () => {
  const { market, scrape } = await observed({ engines: false })
  const { db } = market
  const agents = createRows(db)
  for (const [events, failing_since] of [[3], [2, new Date()]] as const) {
    const id = newId('webhook')
    const agent_id = await agents.agent()
    const sealed = { sealed_secrets: Buffer.alloc(1), key_version: 9 }
    await db
      .insertInto('webhooks')
      .values({ id, agent_id, url: 'http://localhost:9/', ...sealed, failing_since })
      .execute()
    for (let count = 0; count < events; count++)
      await recordActivity(db, { type: 'agent.registered', agent_id })
  }
  await sequenceEntries(db, 100)
  await db
    .updateTable('webhooks')
    .set({ due_at: new Date(Date.now() - 3_600_000) })
    .execute()
  channel(attemptChannel).publish({ outcome: 'dns' })
  const metrics = await scrape()
  expect(metrics.get('bounty_webhook_deliveries_pending')).toBe(5)
  expect(metrics.get('bounty_webhooks_failing')).toBe(1)
  expect(metrics.get('bounty_webhooks_due_oldest_seconds')).toBeGreaterThan(3500)
  expect(metrics.get('bounty_webhook_attempts_total{outcome="dns"}')).toBe(1)
})

test('calls to the code host by their outcome, and how long a pull request waits to be read, are in the metrics', async () => {
  let status = 200
  const { market, scrape } = await observed({
    engines: false,
    onGitHubRequest: async () => (status === 200 ? undefined : { status, body: { message: 'No' } }),
  })
  await createRows(market.db).pullRequest({ due_at: new Date(Date.now() - 3_600_000) })
  const { repositories } = market.services
  const missing = { owner: 'nobody', repository: 'nothing', number: 1 }
  await repositories?.readPullRequest(missing)
  status = 401
  await repositories?.readPullRequest(missing).catch(() => undefined)
  const metrics = await scrape()
  expect(metrics.get('bounty_code_host_calls_total{outcome="done"}')).toBe(1)
  expect(metrics.get('bounty_code_host_calls_total{outcome="unauthorized"}')).toBe(1)
  expect(metrics.get('bounty_pull_requests_due_oldest_seconds')).toBeGreaterThan(3500)
})

test('while the chain is unreachable all other metrics are up to date', async () => {
  const { market, scrape } = await observed()
  market.chainProxy.disconnect()
  const metrics = await scrape()
  expect(metrics.get('bounty_metrics_read_failures_total{source="chain"}')).toBe(1)
  expect(metrics.get('bounty_chain_state{state="ready"}')).toBe(0)
  expect(metrics.get('bounty_chain_state{state="unreachable"}')).toBe(1)
  expect(metrics.get('bounty_payouts{state="running"}')).toBe(0)
})

test('activations that fail because the token was revoked are counted by their code', async () => {
  const onGitHubRequest = async () => ({ status: 401, body: { message: 'Bad credentials' } })
  const { market, scrape } = await observed({ onGitHubRequest })
  const { id, founder } = await market.proposedProject()
  const activate = () => market.api('POST', `/api/projects/${id}/activate`, { key: founder.key })
  expect((await activate()).body.error.code).toBe('repository_unauthorized')
  expect((await scrape()).get('bounty_activations_failed{code="repository_unauthorized"}')).toBe(1)
})

test('what alerts count starts at 0 in a process that has seen nothing, and its clock is compared', async () => {
  const { scrape } = await observed({ engines: false })
  const metrics = await scrape()
  for (const series of [
    'bounty_alarms_total{kind="payment_unknown"}',
    'bounty_payments_recognized_total{outcome="settled"}',
    'bounty_code_host_calls_total{outcome="unauthorized"}',
    'bounty_webhook_attempts_total{outcome="delivered"}',
    'bounty_metrics_read_failures_total{source="database"}',
    'bounty_http_request_duration_seconds_count{operation="bounties.approve",status="500"}',
    'bounty_http_request_duration_seconds_count{operation="github.webhook",status="401"}',
  ])
    expect([series, metrics.get(series)]).toEqual([series, 0])
  expect(Math.abs(metrics.get('bounty_clock_offset_seconds') ?? Number.NaN)).toBeLessThan(60)
})

test('every step of a payout is in the log under the id of its submission', async () => {
  const { market, lines } = await observed()
  const { submissionId } = await market.doneBounty()
  const steps = () =>
    lines.filter(({ entityId, step }) => entityId === submissionId && step).map(({ step }) => step)
  // The request may see the stored outcome before the lane has logged it.
  await until(() => steps().includes('outcome stored'))
  expect(steps()).toEqual(
    expect.arrayContaining([
      'intent stored',
      'attempt signed',
      'attempt stored',
      'receipt seen',
      'outcome stored',
    ]),
  )
})

test('the log names an operator key with a low gas balance', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const market = await createTestMarket({ log, settings: { LOW_GAS_PAYOUTS: '1000000' } })
  onTestFinished(market.close)
  const { address } = market.services.chain.require().operators[0]!
  await market.chain.node.setBalance({ address, value: 10n ** 15n })
  const pool = createPool(market.databaseUrl, { size: 2 })
  const watching = await observe({ connections: market.services, pool, embedded: undefined })
  const warning = () => lines.find(({ msg }) => String(msg).startsWith('LOW GAS'))
  while (!warning()) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(warning()).toMatchObject({ lane: address.toLowerCase(), balance_ether: '0.001' })
  await watching.stop()
  await pool.end()
})

test('alerts and dashboard name only metrics that exist', async () => {
  const { registry } = createMetrics()
  const known = registry.getMetricsAsArray().map(({ name }) => name)
  const alerts = parse(await readFile(join(folder, 'alerts.yaml'), 'utf8'))
  const dashboard = JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8'))
  const expressions: string[] = [
    ...alerts.groups.flatMap((group: { rules: { expr: string }[] }) => group.rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) =>
      (panel.targets ?? []).map(({ expr }) => expr),
    ),
  ]
  expect(expressions.length).toBeGreaterThan(30)
  const used = expressions.flatMap((expr) => expr.match(/\b(bounty|nodejs|process)_\w+/g) ?? [])
  const unknown = used.filter((name) => !known.includes(name.replace(/_(count|bucket|sum)$/, '')))
  expect([...new Set(unknown)]).toEqual([])
})
