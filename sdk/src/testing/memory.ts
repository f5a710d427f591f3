import type { ErrorCode } from '../generated/schema.ts'
import { errors, type OperationId, operations } from '../generated/testing.ts'
import { Life, Refusal } from './life.ts'
import { modelled } from './operations.ts'

/** A request that a {@link MemoryMarketplace} got. */
export interface MemoryCall {
  operation: OperationId
  path: string
  query: Record<string, string | undefined>
  body: object
  /** The agent that sent it, if it has a key of this marketplace. */
  agent_id: string | undefined
  /** Undefined while it waits, and if its connection broke. */
  status: number | undefined
}

/** How a request fails: as the service says with a `code`, or as a gateway would with a `status` alone, or without a response. */
export type MemoryFailure = { code: ErrorCode; status?: number } | { status: number } | 'connection'

/** See {@link memoryMarketplace}. */
export interface MemoryMarketplace {
  /** An address at which nothing listens. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Every request so far; each repetition is one. */
  readonly calls: readonly MemoryCall[]
  /**
   * Lets the next `times` requests to an operation fail, by default one. They do nothing, except with `connection`: that loses the
   * response of what was done. The client repeats what can be repeated, so more than its `maxRetries` must fail before a call does.
   */
  fail(operation: OperationId, how: MemoryFailure, times?: number): void
}

/**
 * A marketplace in memory, for tests of what uses the SDK: `new Marketplace(memoryMarketplace())`.
 *
 * It models `agents.register`, `me`, `tasks`, `projects`, `bounties` and `submissions`; `projects.create`, `activate`, `get`, `list` and
 * `submissions`; `bounties.create`, `list`, `get`, `preflight`, `claim`, `release`, `submit`, `requestChanges`, `reject`, `approve` and
 * `cancel`, by the service's own table; `submissions.get`, `payouts.get` and `events.list`. `submissions.pullRequest` and `config.public`
 * are the examples of the OpenAPI document. A payout is confirmed at once. A repeated Idempotency-Key gets the first response.
 *
 * It is no second marketplace. It has no clock, so nothing lapses or is overdue; no chain, so funds never run short; no code host, so
 * every pull request below `repo_url` exists. It checks no bodies and limits no rates. Lists know only the filters `status`,
 * `project_id` and `difficulty`. Every other operation fails with a 404 `not_found` that names it.
 */
export function memoryMarketplace(): MemoryMarketplace {
  const life = new Life()
  const models = modelled(life)
  const calls: MemoryCall[] = []
  const failures: { operation: OperationId; how: MemoryFailure; times: number }[] = []
  const replays = new Map<string, Response>()

  async function carryOut(request: Request, call: MemoryCall, id: string): Promise<Response> {
    try {
      return await succeed(request, call, id)
    } catch (error) {
      if (error instanceof Refusal) return refuse(error.code, error)
      throw error
    }
  }

  async function succeed({ headers, signal }: Request, call: MemoryCall, id: string) {
    const { status, isPublic, example } = operations[call.operation]
    const { query, body, agent_id: caller = '' } = call
    if (caller === '' && !isPublic) throw new Refusal('unauthorized')
    const scope = `${headers.get('idempotency-key')} ${caller} ${call.path}`
    const replay = replays.get(scope)?.clone()
    replay?.headers.set('idempotency-replayed', 'true')
    if (replay) return replay
    const model = models[call.operation]
    if (!model) throw new Refusal('not_found', `memoryMarketplace does not model ${call.operation}`)
    const made = fill(example, await model({ id, query, body, caller, signal }))
    signal.throwIfAborted()
    const response = respond(status, made)
    if (headers.has('idempotency-key')) replays.set(scope, response.clone())
    return response
  }

  const fetch: MemoryMarketplace['fetch'] = async (input, init) => {
    const request = new Request(input, init)
    await macrotask()
    const { pathname: path, searchParams } = new URL(request.url)
    const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(path))
    if (!route) return refuse('not_found')
    const key = request.headers.get('authorization')?.replace('Bearer ', '') ?? 'none'
    const text = await request.text()
    const call: MemoryCall = {
      operation: route.id,
      path,
      query: Object.fromEntries(searchParams),
      body: text ? JSON.parse(text) : {},
      agent_id: life.all('agent', 'api_key', key)[0]?.id,
      status: undefined,
    }
    calls.push(call)
    const failure = failures.find(({ operation, times }) => operation === route.id && times > 0)
    if (failure) failure.times--
    const how = failure?.how
    const id = route.pattern.exec(path)?.[1] ?? ''
    const response = await (how === 'connection' || !how ? carryOut(request, call, id) : failed(how))
    if (how === 'connection') throw new TypeError('the connection broke')
    call.status = response.status
    return response
  }

  const fail: MemoryMarketplace['fail'] = (operation, how, times = 1) =>
    void failures.push({ operation, how, times })
  return { baseUrl: 'https://memory.test', fetch, calls, fail }
}

/** Routes without an id come first: `me` is no id. */
const routes = Object.entries(operations)
  .map(([id, { route }]) => {
    const [method, path = ''] = route.split(' ')
    return { id: id as OperationId, method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`) }
  })
  .sort(
    ({ pattern: left }, { pattern: right }) => left.source.split('(').length - right.source.split('(').length,
  )

/** The fields of `example`, as `made` has them or else as they are. */
function fill(example: unknown, made: unknown): unknown {
  if (Array.isArray(example) && Array.isArray(made)) return made.map((item) => fill(example[0], item))
  if (!isObject(example) || !isObject(made) || Object.keys(example).length === 0) return made
  const partOf = (name: string) => (name in made ? fill(example[name], made[name]) : example[name])
  return Object.fromEntries(Object.keys(example).map((name) => [name, partOf(name)]))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const failed = (how: Exclude<MemoryFailure, 'connection'>) =>
  'code' in how ? refuse(how.code, how) : new Response('<h1>Bad gateway</h1>', how)

function refuse(code: ErrorCode, given: { status?: number; message?: string } = {}): Response {
  const { status, retryable, meaning } = errors[code] ?? { status: 500, retryable: false, meaning: code }
  const error = { code, message: given.message || meaning, retryable, request_id: requestId }
  const headers = {
    ...(retryable && { 'retry-after': '0' }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  }
  return respond(given.status ?? status, { error }, headers)
}

const requestId = 'req_memory'

/**
 * Lets timers and whatever else waits have their turn, as a network does: what repeats requests without a pause can then be stopped.
 * Timers that a test has replaced do not stop it.
 */
async function macrotask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  await new Promise((resolve) => {
    port1.addEventListener('message', resolve)
    port1.start()
    port2.postMessage(undefined)
  })
  port1.close()
}

function respond(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  const usual = { 'cache-control': 'private, no-store', 'x-request-id': requestId }
  return Response.json(body, { status, headers: { ...usual, ...headers } })
}
