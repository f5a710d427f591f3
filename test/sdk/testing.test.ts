import { describe, expect, test } from 'vitest'
import { type ApiError, ConnectionError, Marketplace } from '../../sdk/src/index.ts'
import { type MemoryMarketplace, memoryMarketplace } from '../../sdk/src/testing/index.ts'
import { createTruth, readDocument } from '../openapi/truth.ts'
import { shortLife } from './support/short-life.ts'

const document = readDocument()
const truth = createTruth(document)

/** The same marketplace, and everything in its responses that the document does not describe. */
function witnessed(memory: MemoryMarketplace) {
  const violations: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await memory.fetch(input, init)
    const { method = 'GET', body } = init ?? {}
    if ((await response.clone().text()).includes('does not model')) return response
    const { pathname, search } = new URL(String(input))
    const exchange = {
      method,
      url: pathname + search,
      requestBody: String(body ?? ''),
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.clone().text(),
    }
    for (const violation of truth(exchange))
      violations.push(`${method} ${pathname} ${response.status}: ${violation}`)
    return response
  }
  return { market: new Marketplace({ baseUrl: memory.baseUrl, fetch }), violations }
}

/** A marketplace with an active project, an open bounty, and the agents that it takes. */
async function started() {
  const memory = memoryMarketplace()
  const anyone = new Marketplace(memory)
  const join = async (name: string) =>
    anyone.withApiKey((await anyone.agents.register({ name })).agent.api_key)
  const founder = await join('Founder')
  const worker = await join('Worker')
  const proposal = { name: 'A', description: 'B', token_symbol: 'C', token_supply: 1000 }
  const { id } = (await founder.projects.create(proposal)).project
  const { project } = await founder.projects.activate(id)
  const post = async () =>
    (await founder.bounties.create(id, { title: 'A', description: 'B', reward_amount: 1 })).bounty.id
  return { memory, founder, worker, project, post, bounty: await post() }
}

const codeOf = (call: Promise<unknown>) => call.catch((error: ApiError) => error.code)

describe('every response is as the document describes it', () => {
  test('in a short life with its refusals', async () => {
    const { market, violations } = witnessed(memoryMarketplace())
    const lines = await shortLife(market, async ({ repo_url }) => `${repo_url}/pull/1`)
    expect(lines).not.toContain('was not refused')
    expect(violations).toEqual([])
  })

  test('in every read that is modelled', async () => {
    const { market, violations } = witnessed(memoryMarketplace())
    const { agent } = await market.agents.register({ name: 'Reader' })
    const reads = Object.entries(document.paths).filter(([, methods]) => 'get' in methods)
    for (const [path] of reads)
      await codeOf(market.withApiKey(agent.api_key).request(`GET ${path as '/'}`, { path: { id: 'x' } }))
    expect(reads.length).toBeGreaterThan(30)
    expect(violations).toEqual([])
  })
})

test.each([
  ['dashboard.stats', ({ worker }) => worker.dashboard.stats()],
  ['bounties.timeline', ({ worker, bounty }) => worker.bounties.timeline(bounty)],
  ['comments.create', ({ worker, bounty }) => worker.comments.create(bounty, { text: 'Hello' })],
] as [string, (life: Awaited<ReturnType<typeof started>>) => Promise<unknown>][])(
  '%s, which is not modelled, fails by its name',
  async (operation, call) => {
    const error = await call(await started()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 404, code: 'not_found' })
    expect(String(error)).toContain(`memoryMarketplace does not model ${operation}`)
  },
)

test('a founder finds the bounties that it posted, and everybody the facts of a pull request', async () => {
  const { founder, worker, bounty, project } = await started()
  expect((await founder.agents.bounties()).bounties.map(({ id }) => id)).toEqual([bounty])
  expect((await worker.agents.bounties()).bounties).toEqual([])
  await worker.bounties.claim(bounty)
  const { submission } = await worker.bounties.submit(bounty, { pr_url: `${project.repo_url}/pull/1` })
  const { pull_request } = await founder.submissions.pullRequest(submission.id)
  expect(pull_request.head_sha).toMatch(/^[0-9a-f]{40}$/)
})

test.each<[string, (agent: Marketplace, memory: MemoryMarketplace) => Promise<unknown>]>([
  ['that succeed', (agent) => agent.agents.me()],
  ['that are refused', (agent) => agent.with({ apiKey: null }).agents.me()],
  ['that are not modelled', (agent) => agent.webhooks.list()],
  ['that no operation has', (agent) => agent.request('GET /api/nothing')],
  [
    'that fail as they were told',
    (agent, memory) => {
      memory.fail('agents.me', { status: 502 })
      return agent.agents.me()
    },
  ],
])('a loop of requests %s, without a pause, ends with a timer', async (_, send) => {
  const { worker, memory } = await started()
  const hasty = worker.with({ maxRetries: 0 })
  let isOver = false
  setTimeout(() => {
    isOver = true
  })
  for (let sent = 0; !isOver && sent < 1_000; sent++) await send(hasty, memory).catch(() => undefined)
  expect(isOver).toBe(true)
})

describe('fail', () => {
  test('with an error of the service, which has done nothing', async () => {
    const { memory, worker, bounty } = await started()
    memory.fail('bounties.claim', { code: 'bounty_not_open' })
    expect(await codeOf(worker.bounties.claim(bounty))).toBe('bounty_not_open')
    memory.fail('bounties.claim', { status: 503, code: 'overloaded' })
    expect((await worker.bounties.claim(bounty)).bounty.status).toBe('claimed')
    const claims = memory.calls.filter(({ operation }) => operation === 'bounties.claim')
    expect(claims.map(({ status }) => status)).toEqual([409, 503, 200])
  })

  test('with a status alone, as of a gateway, for as many requests as asked', async () => {
    const { memory, worker, bounty } = await started()
    memory.fail('bounties.get', { status: 502 }, 2)
    const hasty = worker.with({ maxRetries: 0 })
    for (const code of ['unexpected_response', 'unexpected_response', undefined])
      expect(
        await hasty.bounties.get(bounty).then(
          () => undefined,
          (error) => error.code,
        ),
      ).toBe(code)
  })

  test('with a broken connection: what was done is done once, and its repetition gets the first response', async () => {
    const { memory, worker, bounty } = await started()
    memory.fail('bounties.claim', 'connection')
    const { data, response } = await worker.bounties.claim(bounty).withResponse()
    expect(data.bounty.status).toBe('claimed')
    expect(response.headers.get('idempotency-replayed')).toBe('true')
    expect(memory.calls.filter(({ operation }) => operation === 'bounties.claim')).toMatchObject([
      { status: undefined },
      { status: 200 },
    ])
    memory.fail('bounties.release', 'connection')
    const lost = worker.bounties.release(bounty, {}, { maxRetries: 0 })
    expect(await lost.catch((error) => error)).toBeInstanceOf(ConnectionError)
    expect((await worker.bounties.get(bounty)).bounty.status).toBe('open')
  })
})

test('calls tell what was asked, and by whom', async () => {
  const { memory, worker, project, bounty } = await started()
  const { agent } = await worker.agents.me()
  await worker.bounties.list({ project_id: project.id })
  await codeOf(worker.bounties.submit(bounty, { pr_url: 'https://a.test/pull/1' }))
  expect(memory.calls.slice(-2)).toEqual([
    {
      operation: 'bounties.list',
      path: '/api/bounties',
      query: { project_id: project.id },
      body: {},
      agent_id: agent.id,
      status: 200,
    },
    {
      operation: 'bounties.submit',
      path: `/api/bounties/${bounty}/submit`,
      query: {},
      body: { pr_url: 'https://a.test/pull/1' },
      agent_id: agent.id,
      status: 403,
    },
  ])
})

test('a long poll waits for the next event that it wants, and ends with its signal', async () => {
  const { founder, worker, post, bounty } = await started()
  const stop = new AbortController()
  const stream = founder.events.stream({ types: ['bounty.claimed'], signal: stop.signal })
  await stream.started()
  const events = stream[Symbol.asyncIterator]()
  const next = events.next()
  await post()
  await worker.bounties.claim(bounty)
  expect((await next).value).toMatchObject({ type: 'bounty.claimed', bounty_id: bounty })
  const last = events.next()
  stop.abort()
  expect(await last).toEqual({ done: true, value: undefined })
  const unknown = { after: 'act_unknown', limit: 1 }
  expect(await worker.events.list(unknown)).toMatchObject({ truncated: true, has_more: true })
})

test('iterators give each item once, and what the SDK composes works', async () => {
  const { founder, worker, project, post } = await started()
  for (let count = 0; count < 4; count++) await post()
  const listed: string[] = []
  for await (const { id } of founder.bounties.iterate({ limit: 2, status: 'open' })) listed.push(id)
  expect([...new Set(listed)]).toHaveLength(5)
  expect(listed).toHaveLength(5)
  for (let count = 0; count < 3; count++) {
    const bounty = await worker.bounties.claimNext({ project_id: project.id })
    await worker.bounties.submit(bounty.id, { pr_url: `${project.repo_url}/pull/1` })
    const waiting = await founder.projects.nextSubmission(project.id)
    await founder.bounties.approveAndWait(bounty.id, { submission_id: waiting.id })
    expect((await worker.submissions.waitForReview(waiting.id)).status).toBe('approved')
  }
  const submitted = []
  for await (const { id } of worker.agents.iterateSubmissions({ limit: 2 })) submitted.push(id)
  expect(new Set(submitted).size).toBe(3)
  expect(submitted).toHaveLength(3)
})
