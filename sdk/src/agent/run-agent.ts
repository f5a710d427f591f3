import type { Marketplace } from '../client.ts'
import { ApiError, AuthenticationError, EventsMissedError } from '../core/errors.ts'
import type { Logger } from '../core/options.ts'
import { newIdempotencyKey, type Route } from '../core/request.ts'
import { backoffMs, mayRepeat, persist, retryDelayMs, unconfirmed } from '../core/retry.ts'
import type { StreamOptions } from '../events.ts'
import type { Task } from '../generated/schema.ts'
import { type Choice, requestOf } from '../perform.ts'
import type { AgentMemory, Store } from './store.ts'

/** The agent that {@link runAgent} runs. */
export interface RunningAgent {
  id: string
  /** A client with its API key. */
  market: Marketplace
}

/** A request that no task offers, such as a claim. */
export interface OwnRequest {
  /** Method and path, with all ids in it. */
  route: Route
  body?: object | undefined
}

/** What {@link runAgent} needs. */
export interface AgentOptions {
  /** A client of the marketplace. Without `name` and a key in the store, it has the agent's API key. */
  market: Marketplace
  /** Registers an agent of this name if the store has no API key. */
  name?: string | undefined
  /** Where the agent keeps its API key and what it has begun: `fileStore(path)` of `/agent/file-store`, `memoryStore()` or one of your own. */
  store: Store
  /**
   * Decides about a task: which of its steps to take, with which fields; undefined leaves the task until the next look. The judgement
   * of a model goes here. After a crash it is asked again, so what it does outside of the marketplace must be harmless the second
   * time. If it throws, the other tasks go on, and it is asked again later.
   */
  work: (task: Task, agent: RunningAgent) => Promise<Choice | undefined>
  /** What to begin while no task can be worked on: a contributor claims, a founder posts. */
  begin?: ((agent: RunningAgent) => Promise<OwnRequest | undefined>) | undefined
  /** Whether to stop. Asked while there is nothing to do. Default: never, the agent runs until `signal` aborts. */
  isDone?: ((agent: RunningAgent) => Promise<boolean>) | undefined
  /** Which events are worth another look. Default: those that concern the agent. */
  events?: Pick<StreamOptions, 'mine' | 'types' | 'project_id'> | undefined
  /** Ends the agent without an error. What is under way is finished when it runs again. */
  signal?: AbortSignal | undefined
  /** Gets a line for each thing that was done or failed. Default: the console. */
  logger?: Pick<Logger, 'info' | 'warn'> | undefined
}

/** Not everything that a task needs is an event. */
const longestWaitMs = 60_000
/** How long a task rests that fails again and again, or whose request is refused each time. */
const longestRestMs = 600_000
/** The service knows an Idempotency-Key for 24 hours. */
const keyLastsMs = 23 * 3_600_000
const mostTasks = 100
/** Between two lines about calls that fail for all, in ms. */
const warnEveryMs = 60_000

/**
 * Runs an agent: does what waits for it, else begins something, else waits for an event. It can be killed at any time and started
 * again with the same store: each request is stored before it is sent and is done once. Nothing that fails holds up the rest. It
 * outlasts outages of the service.
 *
 * @example
 * ```ts
 * await runAgent({
 *   market: new Marketplace({ baseUrl: 'https://market.example.org' }),
 *   name: 'Ada',
 *   store: fileStore('ada.json'),
 *   work: async (task) => (task.action === 'activate' ? {} : undefined),
 * })
 * ```
 * @throws AuthenticationError or ApiError `scope_missing` if the credential is refused; what the store throws
 */
export async function runAgent(options: AgentOptions): Promise<void> {
  const release = await options.store.lock()
  try {
    const memory = (await options.store.load()) ?? { underway: {} }
    await new Run(options, memory).untilDone()
  } catch (error) {
    if (!options.signal?.aborted) throw error
  } finally {
    await release()
  }
}

class Run {
  readonly #options: AgentOptions
  readonly #logger: Pick<Logger, 'info' | 'warn'>
  #memory: AgentMemory
  #warnedAt = 0
  /** What `begin` returned last, as JSON. */
  #begun: string | undefined
  /** What rests, by the id of the task or `begin`. */
  readonly #resting = new Map<string, { failures: number; until: number }>()

  constructor(options: AgentOptions, memory: AgentMemory) {
    this.#options = options
    this.#logger = options.logger ?? console
    this.#memory = memory
  }

  async untilDone(): Promise<void> {
    const { signal, isDone } = this.#options
    const agent = await this.#open()
    for (;;) {
      signal?.throwIfAborted()
      await this.#findCursor(agent)
      if (await this.#act(agent)) continue
      const isIdle = Object.keys(this.#memory.underway).length === 0
      if (isIdle && isDone && (await this.#patiently('isDone', async () => isDone(agent)))) return
      await this.#somethingHappens(agent)
    }
  }

  /** Registers the agent if it is new. After a crash the same key gets the same agent and API key. */
  async #open(): Promise<RunningAgent> {
    const { market, name } = this.#options
    if (!this.#memory.agent && name !== undefined) {
      const { registrationKey: idempotencyKey = newIdempotencyKey() } = this.#memory
      await this.#keep({ registrationKey: idempotencyKey })
      const register = (inner: AbortSignal) =>
        market.agents.register({ name }, { idempotencyKey, signal: inner, apiKey: null })
      const { agent } = await this.#patiently('register', register)
      await this.#keep({ agent: { id: agent.id, apiKey: agent.api_key }, registrationKey: undefined })
    }
    const { agent } = this.#memory
    if (agent) return { id: agent.id, market: market.withApiKey(agent.apiKey) }
    const me = await this.#patiently('agents.me', (inner) => market.agents.me({ signal: inner }))
    return { id: me.agent.id, market }
  }

  /** Does the first thing that can be done. False if there is none now. */
  async #act(agent: RunningAgent): Promise<boolean> {
    const { work, begin } = this.#options
    for (const id of Object.keys(this.#memory.underway))
      if (this.#isDue(id) && (await this.#carryOut(agent, id))) return true
    const read = (inner: AbortSignal) => agent.market.agents.tasks({ limit: mostTasks }, { signal: inner })
    const { tasks } = await this.#patiently('agents.tasks', read)
    for (const id of this.#resting.keys())
      if (id !== 'begin' && !(id in this.#memory.underway) && !tasks.some((task) => task.id === id))
        this.#resting.delete(id)
    for (const task of tasks) {
      const decide = async () => {
        const choice = await work(task, agent)
        return choice && requestOf(task, choice)
      }
      if (await this.#perform(agent, task.id, decide)) return true
    }
    return begin ? this.#perform(agent, 'begin', () => begin(agent)) : false
  }

  /** Does one thing, once: it is stored before it is sent, with the Idempotency-Key of every attempt. */
  async #perform(
    agent: RunningAgent,
    id: string,
    decide: () => Promise<OwnRequest | undefined>,
  ): Promise<boolean> {
    const { underway } = this.#memory
    if (id in underway || !this.#isDue(id)) return false
    let request: OwnRequest | undefined
    try {
      request = await decide()
      if (!request) this.#resting.delete(id)
    } catch (error) {
      this.#rest(id, error)
    }
    if (!request) return false
    const { route, body } = request
    const stored = { route, body, key: newIdempotencyKey(), since: new Date().toISOString() }
    await this.#keep({ underway: { ...underway, [id]: stored } })
    return this.#carryOut(agent, id)
  }

  /**
   * Sends what is under way. If nobody knows whether it is done, it stays, to be sent again with its key: with a new one it would be
   * done twice. If it is refused, it is forgotten: the task is outdated, or somebody was faster. The tasks say what to do next.
   */
  async #carryOut({ market }: RunningAgent, id: string): Promise<boolean> {
    const { [id]: item, ...others } = this.#memory.underway
    let isDone = false
    // A key that the service no longer knows might do it a second time.
    if (item && Date.now() - Date.parse(item.since) < keyLastsMs)
      try {
        const { route, body, key } = item
        const { signal } = this.#options
        await market.request(
          route,
          { body, timeoutMs: 100_000, expects: '*' },
          { idempotencyKey: key, signal },
        )
        isDone = true
        this.#logger.info(`${id}: ${route}`)
      } catch (error) {
        this.#rest(id, error)
        if (mayRepeat(error, unconfirmed)) return false
      }
    await this.#keep({ underway: others })
    // A task that still waits although its step is done must not keep the agent busy with nothing else.
    if (isDone && id !== 'begin') this.#rest(id)
    if (isDone && id === 'begin') this.#pace(JSON.stringify([item?.route, item?.body]))
    return isDone
  }

  /** What `begin` returns again and again may have no end, such as a bounty that it posts and does not find: it rests ever longer. */
  #pace(begun: string): void {
    if (begun === this.#begun) {
      this.#rest('begin')
      this.#logger.warn(`begin has returned the same request again, is asked later: ${begun}`)
    } else this.#resting.delete('begin')
    this.#begun = begun
  }

  /** Repeats a call through outages, and logs what fails at most once a minute. */
  #patiently<Result>(what: string, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const attempt = (inner: AbortSignal) =>
      call(inner).catch((error: unknown) => {
        if (mayRepeat(error) && Date.now() - this.#warnedAt >= warnEveryMs) {
          this.#warnedAt = Date.now()
          this.#logger.warn(`${what} failed, is tried again: ${error}`)
        }
        throw error
      })
    return persist(attempt, { signal: this.#options.signal })
  }

  #isDue(id: string): boolean {
    return Date.now() >= (this.#resting.get(id)?.until ?? 0)
  }

  /** @throws `error`, if nothing that the agent sends can succeed any more */
  #rest(id: string, error?: unknown): void {
    const isRefused = error instanceof AuthenticationError || (error as ApiError)?.code === 'scope_missing'
    if (isRefused || (error && this.#options.signal?.aborted)) throw error
    const failures = (this.#resting.get(id)?.failures ?? 0) + 1
    // Somebody was faster: what is begun next is another thing.
    const longestMs = id === 'begin' && error instanceof ApiError ? undefined : longestRestMs
    const ms =
      retryDelayMs(error, failures, Number.POSITIVE_INFINITY, unconfirmed) ?? backoffMs(failures, longestMs)
    this.#resting.set(id, { failures, until: Date.now() + ms })
    if (error !== undefined)
      this.#logger.warn(`${id} failed, is tried again in ${Math.ceil(ms / 1000)} s: ${error}`)
  }

  /** A place in the log of events, before the tasks are read: nothing that happens from here on is missed. */
  async #findCursor({ market }: RunningAgent): Promise<void> {
    if (this.#memory.cursor !== undefined) return
    const stream = market.events.stream({ signal: this.#options.signal })
    await stream.started()
    await this.#keep({ cursor: stream.cursor })
  }

  /** Waits for an event, or until something has rested. An event only says that it is time to look, so it may come twice. */
  async #somethingHappens({ market }: RunningAgent): Promise<void> {
    const { events = { mine: true }, signal } = this.#options
    const ends = [...this.#resting.values()].map(({ until }) => until)
    const ms = Math.max(Math.min(longestWaitMs, ...ends.map((until) => until - Date.now())), 1)
    const stop = new AbortController()
    const stream = market.events.stream({ ...events, after: this.#memory.cursor, signal: stop.signal })
    const end = () => stop.abort()
    // Silence is no error: the stream ends, and the tasks are looked at again.
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    let cause: string | undefined
    let cursor: string | undefined
    try {
      for await (const { type } of stream) {
        // One look is enough for all that came at once.
        if (cause === undefined) setTimeout(end)
        cause = type
      }
      cursor = stream.cursor
    } catch (error) {
      if (!(error instanceof EventsMissedError)) throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
    if (cause !== undefined) this.#logger.info(`woken by ${cause}`)
    await this.#keep({ cursor })
  }

  /** Returns once the change is stored. */
  async #keep(change: Partial<AgentMemory>): Promise<void> {
    const memory = { ...this.#memory, ...change }
    await this.#options.store.save(memory)
    this.#memory = memory
  }
}
