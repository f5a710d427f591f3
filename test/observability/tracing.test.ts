import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { built, run } from '../ops/support/service.ts'
import { surroundings } from '../ops/support/surroundings.ts'
import { createApi } from '../support/api.ts'
import { createRecipient } from '../support/hpke.ts'
import { createScenarios } from '../support/scenarios.ts'
import { type CollectedSpan, startCollector } from './support/collector.ts'

const server = 2
const client = 3
const traceOf = (entityId: string) => createHash('sha256').update(entityId).digest('hex').slice(0, 32)

/** Writes to standard error which modules of OpenTelemetry's SDK are loaded. */
const loader = `export async function load(url, context, next) {
  if (/@opentelemetry\\/(sdk-|exporter-|resources)/.test(url)) process._rawDebug('LOADED ' + url)
  return next(url, context)
}`
const reportLoads = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(loader)}`)})`,
  )}`,
]
const [node = '', ...args] = built('main')

/** A process of the service that sends its traces to a collector, both gone after the test. */
async function traced(settings: Record<string, string> = {}) {
  const collector = await startCollector()
  const around = await surroundings()
  const service = run([node, ...reportLoads, ...args], {
    ...around.settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    ...settings,
  })
  const api = createApi(await service.ready())
  const scenarios = createScenarios({
    api,
    db: undefined as never,
    chain: around.chain,
    github: around.github,
    token: around.githubToken,
  })
  return { ...around, ...collector, service, api, scenarios }
}

const childrenOf = (spans: CollectedSpan[], parent: CollectedSpan) =>
  spans.filter(({ traceId, parentSpanId }) => traceId === parent.traceId && parentSpanId === parent.spanId)

test('a claim is a span of its caller’s trace, with a child for each statement of the database', async () => {
  const { api, scenarios, spans, until, requests } = await traced({
    OTEL_SERVICE_NAME: 'market',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=open%20sesame',
  })
  const bounty = await scenarios.openBounty()
  const claimant = await scenarios.register()
  const traceId = randomUUID().replaceAll('-', '')
  const response = await api('POST', `/api/bounties/${bounty.id}/claim`, {
    key: claimant.key,
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'idempotency-key': traceId },
  })
  const claim = await until((all) => all.find((span) => span.traceId === traceId && span.kind === server))
  expect(claim).toMatchObject({
    name: 'POST /api/bounties/{id}/claim',
    parentSpanId: '00f067aa0ba902b7',
    failed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/bounties/{id}/claim',
      'http.response.status_code': 200,
      'bounty.operation': 'bounties.claim',
      'bounty.request_id': response.headers.get('x-request-id'),
      'bounty.agent_id': claimant.id,
    },
    resource: { 'service.name': 'market', 'deployment.environment.name': 'test' },
  })
  const statements = childrenOf(spans, claim)
  expect(statements.every(({ kind, attributes }) => kind === client && attributes['db.query.text'])).toBe(
    true,
  )
  const names = statements.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['SELECT agents', 'BEGIN', 'UPDATE bounties', 'COMMIT']))
  const update = statements.find(({ attributes }) =>
    /update "bounties"/.test(`${attributes['db.query.text']}`),
  )
  // A span's start has whole milliseconds, so which of two ends first cannot be told by their times.
  expect(update).toBeDefined()
  expect(update?.attributes['db.query.text']).not.toContain(bounty.id)
  expect(requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-collector-key': 'open sesame' } })
})

test('a request with a body keeps its span, and a refused request is not marked as failed', async () => {
  const { api, until, spans, everything } = await traced()
  await api('POST', '/api/agents/register', { body: { name: 'Ada' } })
  const registered = await until((all) => all.find(({ name }) => name === 'POST /api/agents/register'))
  expect(childrenOf(spans, registered).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['BEGIN', 'INSERT agents', 'COMMIT']),
  )
  await api('GET', '/api/bounties/bnt_nobody?key=hunter2')
  const missing = await until((all) => all.find(({ name }) => name === 'GET /api/bounties/{id}'))
  expect(missing).toMatchObject({ failed: false, attributes: { 'http.response.status_code': 400 } })
  expect(everything()).not.toContain('hunter2')
})

test('a payout and an activation are traces of their own, linked with the requests that wait for them', async () => {
  const { scenarios, until, spans } = await traced()
  const { submissionId, project } = await scenarios.doneBounty()
  await until((all) => all.find(({ name }) => name === 'POST /api/bounties/{id}/approve'))
  await until((all) =>
    all.find(({ traceId, name }) => traceId === traceOf(submissionId) && name === 'outcome stored'),
  )
  for (const [kind, entityId, waiting, steps] of [
    [
      'payout',
      submissionId,
      'POST /api/bounties/{id}/approve',
      ['attempt signed', 'attempt stored', 'receipt seen'],
    ],
    ['activation', project.id, 'POST /api/projects/{id}/activate', ['repository created', 'deploy queued']],
  ] as const) {
    const request = spans.find(({ name }) => name === waiting) as CollectedSpan
    const trace = spans.filter(({ traceId }) => traceId === traceOf(entityId))
    const first = trace.find(({ parentSpanId }) => !parentSpanId) as CollectedSpan
    expect(first).toMatchObject({ name: kind, attributes: { 'bounty.entity_id': entityId } })
    expect(request.links).toMatchObject([{ traceId: first.traceId, spanId: first.spanId }])
    expect(first.links).toMatchObject([{ traceId: request.traceId, spanId: request.spanId }])
    expect(request.events.map(({ name }) => name)).toEqual(['intent stored', 'answer ready'])
    const others = trace.filter((span) => span !== first)
    expect(others.every(({ parentSpanId }) => parentSpanId === first.spanId)).toBe(true)
    expect(others.every(({ attributes }) => attributes['bounty.entity_id'] === entityId)).toBe(true)
    expect(others.map(({ name }) => name)).toEqual(expect.arrayContaining([...steps]))
  }
  const calls = spans.filter(({ traceId, kind }) => traceId === traceOf(project.id) && kind === client)
  expect(calls.find(({ name }) => name === 'POST 127.0.0.1')?.attributes).toMatchObject({
    'url.path': expect.stringMatching(/^\/.*orgs\/[\w-]+\/repos$/),
    'http.response.status_code': 201,
  })
  expect(calls.find(({ name }) => name === 'eth_call')?.attributes).toEqual({
    'rpc.system.name': 'jsonrpc',
    'rpc.method': 'eth_call',
    'bounty.rpc_node': 1,
    'bounty.entity_id': project.id,
    'http.response.status_code': 200,
  })
})

test('no span carries a key, a token, a master key or an export', async () => {
  const { api, scenarios, until, everything, settings, githubToken, service } = await traced()
  const { founder, claimant, submissionId } = await scenarios.doneBounty()
  const { spki } = createRecipient()
  const exported = await api('POST', '/api/agents/me/wallet/export', {
    key: claimant.key,
    body: { recipient_public_key: spki },
  })
  expect(exported.status).toBe(200)
  await until((all) => all.find(({ name }) => name === 'POST /api/bounties/{id}/approve'))
  service.signal('SIGTERM')
  await service.exited
  expect(everything()).toContain(submissionId)
  for (const secret of [
    founder.key,
    claimant.key,
    githubToken,
    spki,
    exported.body.ciphertext,
    settings.WALLET_MASTER_KEY,
    settings.OPERATOR_PRIVATE_KEYS,
    settings.CHAIN_RPC_URL,
    new URL(settings.DATABASE_URL as string).password,
  ])
    expect(secret && everything().includes(secret), 'a secret in a span').toBe(false)
})

test('spans that are left at the end are exported, also as protobuf, and a silent collector does not delay the end', async () => {
  const { api, service, spans } = await traced({ OTEL_BSP_SCHEDULE_DELAY: '60000' })
  await api('GET', '/api/dashboard/stats')
  expect(spans).toEqual([])
  service.signal('SIGTERM')
  expect(await service.exited, service.output()).toBe(0)
  expect(spans.map(({ name }) => name)).toContain('GET /api/dashboard/stats')
  expect(service.errors()).toContain('LOADED')

  const { settings } = await surroundings()
  const withoutCollector = run([node, ...reportLoads, ...args], {
    ...settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  })
  await createApi(await withoutCollector.ready())('GET', '/api/dashboard/stats')
  while (!withoutCollector.output().includes('traces could not be exported'))
    await new Promise((resolve) => setTimeout(resolve, 20))
  withoutCollector.signal('SIGTERM')
  expect(await withoutCollector.exited, withoutCollector.output()).toBe(0)
  expect(withoutCollector.output()).toContain('exporter-trace-otlp-proto')
})

test.each([
  ['no variable is set', {}],
  ['they are switched off', { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }],
  [
    'the exporter is none',
    { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  ],
])('nothing of the SDK is loaded where %s', async (_, variables) => {
  const { settings } = await surroundings()
  const service = run([node, ...reportLoads, ...args], { ...settings, ...variables })
  const { status } = await createApi(await service.ready())('GET', '/api/dashboard/stats')
  expect(status).toBe(200)
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(service.errors()).toBe('')
})
