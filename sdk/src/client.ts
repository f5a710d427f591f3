import { Bounties } from './bounties.ts'
import type { ClientOptions } from './core/options.ts'
import { Transport } from './core/transport.ts'
import { Events } from './events.ts'
import { Resources } from './generated/resources.ts'
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
  override readonly bounties: Bounties
  override readonly events: Events
  override readonly projects: Projects
  override readonly submissions: Submissions
  override readonly withdrawals: Withdrawals
  readonly #transport: Transport

  /** @throws MarketplaceError if `baseUrl` is missing, or if `baseUrl` or `apiKey` is malformed */
  constructor(options: ClientOptions) {
    const transport = new Transport(options)
    super(transport)
    this.bounties = new Bounties(transport)
    this.events = new Events(transport)
    this.projects = new Projects(transport)
    this.submissions = new Submissions(transport)
    this.withdrawals = new Withdrawals(transport)
    this.#transport = transport
  }

  /** Base address of the service. */
  get baseUrl(): string {
    return this.#transport.baseUrl
  }

  /** A client with the same settings for the agent that owns `apiKey`. */
  withApiKey(apiKey: string): Marketplace {
    return new Marketplace(this.#transport.withApiKey(apiKey))
  }

  toJSON(): { baseUrl: string } {
    return { baseUrl: this.baseUrl }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Marketplace(${this.baseUrl})`
  }
}
