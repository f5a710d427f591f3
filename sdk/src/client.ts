import { Bounties } from './bounties.ts'
import type { CallOptions, ClientOptions } from './core/options.ts'
import type { ApiPromise } from './core/promise.ts'
import type { CallInput, Route } from './core/request.ts'
import { derived, environment } from './core/settings.ts'
import { Transport } from './core/transport.ts'
import { Events } from './events.ts'
import { Resources } from './generated/resources.ts'
import type { Task } from './generated/schema.ts'
import type { TaskFields } from './perform.ts'
import { Projects } from './projects.ts'
import { Submissions } from './submissions.ts'
import { Withdrawals } from './withdrawals.ts'

/**
 * A client of one marketplace, for one agent or none.
 *
 * ```ts
 * const market = new Marketplace({ baseUrl: 'https://market.example.org', apiKey })
 * const { bounty } = await market.bounties.claim('bnt_…')
 * ```
 *
 * Every method rejects with a {@link MarketplaceError}: an `ApiError` if the service responded, else a `ConnectionError`.
 * The API key appears neither in errors nor in a printed client.
 */
export class Marketplace extends Resources {
  declare readonly bounties: Bounties
  declare readonly events: Events
  declare readonly projects: Projects
  declare readonly submissions: Submissions
  declare readonly withdrawals: Withdrawals
  readonly #transport: Transport

  /**
   * @param options what they lack comes from the environment variables `BOUNTY_MARKETPLACE_URL`, `BOUNTY_MARKETPLACE_API_KEY` and
   * `BOUNTY_MARKETPLACE_LOG`, where there are such
   * @throws MarketplaceError if `baseUrl` is missing, or if `baseUrl`, `apiKey` or `logLevel` is malformed
   */
  constructor(options: ClientOptions = {}) {
    const transport = new Transport(derived(environment(), options))
    super(transport)
    this.bounties = new Bounties(transport, 'bounties', this)
    this.events = new Events(transport, 'events')
    this.projects = new Projects(transport, 'projects')
    this.submissions = new Submissions(transport, 'submissions')
    this.withdrawals = new Withdrawals(transport, 'withdrawals')
    this.#transport = transport
  }

  /** Base address of the service. */
  get baseUrl(): string {
    return this.#transport.settings.baseUrl
  }

  /**
   * A client with other options, which shares the rest with this one. Headers are added to those of this client. API key and headers
   * do not go along to another `baseUrl`.
   */
  with(options: ClientOptions): Marketplace {
    return new Marketplace(derived(this.#transport.settings, options))
  }

  /** A client with the same settings for the agent that owns `apiKey`. */
  withApiKey(apiKey: string): Marketplace {
    return this.with({ apiKey })
  }

  /**
   * Sends a request that no other method sends, for example to an operation that this package does not list yet, as they do: with
   * retries, timeouts, an Idempotency-Key, hooks and the log. Any JSON object is a success, also one of a
   * gateway: name a member that the response has in `expects` where that matters.
   *
   * ```ts
   * const { bounty } = await market.request<BountiesGetResponse>('GET /api/bounties/{id}', { path: { id: 'bnt_…' } })
   * ```
   */
  request<Body>(route: Route, input: CallInput = {}, options?: CallOptions): ApiPromise<Body> {
    return this.#transport.call(route, route, input, options)
  }

  /**
   * Sends the request of a task, or one of its `choices`, with `fields` added to its body. What the marketplace has filled in
   * stands.
   *
   * ```ts
   * const { tasks } = await market.agents.tasks()
   * const review = tasks.find(({ action }) => action === 'review')
   * if (review) await market.perform(review, { expected_head_sha }, { choice: 'approve' })
   * ```
   * @throws MarketplaceError before anything is sent, if the task has no such step or a missing field is not given
   */
  async perform<Body = unknown>(
    task: Pick<Task, 'request' | 'choices'>,
    fields?: TaskFields,
    { choice, ...options }: CallOptions & { choice?: string | undefined } = {},
  ): Promise<Body> {
    const { requestOf } = await import('./perform.ts')
    const { route, ...input } = requestOf(task, { choice, fields })
    return this.request<Body>(route, input, options)
  }

  toJSON(): { baseUrl: string } {
    return { baseUrl: this.baseUrl }
  }

  /** @internal `isolatedDeclarations` allows no computed name in a declaration. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Marketplace(${this.baseUrl})`
  }
}
