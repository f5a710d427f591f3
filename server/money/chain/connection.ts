import { within } from '../../config/time-limit.ts'
import { ServiceError } from '../../errors.ts'
import type { Chain, ConnectedChain } from './chain.ts'
import { isOfWrongChain } from './client.ts'

/** The state of the connection. `misconfigured`: the chain or its contracts are not the configured ones. */
export type ChainState = 'not_configured' | 'unreachable' | 'misconfigured' | 'ready'

/** Longest time a node gets to reply, in ms. */
const patienceMs = 3000
/** How long a state counts as fresh, in ms. */
const freshMs = 1000

/** The connection to the configured chain, whose nodes may be silent at the start and at any time later. */
export interface ChainConnection {
  /** As of the last attempt to reach the chain, or the last {@link ChainConnection.refresh}. */
  readonly state: ChainState
  /**
   * The chain as requests read it. Null until the chain was reached and its contracts were checked; always null where none is
   * configured.
   */
  readonly chain: Chain | null
  /**
   * The chain as requests read it, for work that needs it.
   * @throws ServiceError `chain_not_configured`, `chain_unreachable`
   */
  require(): Chain
  /**
   * Calls `use`, which has time, when the chain was reached. If it was reached before, resolves after `use`; else resolves at once, and
   * `chain` stays null until `use` has resolved.
   */
  whenReached(use: (chain: ConnectedChain) => Promise<void> | void): Promise<void>
  /** Brings `state` up to date. Asks the nodes at most once a second and waits at most three seconds for them. */
  refresh(): Promise<void>
}

/** A connection as its creator sees it. */
export interface AwaitedChain extends ChainConnection {
  /** The chain was reached and its contracts are as configured. Resolves after everything that waited for it. */
  reached(chain: ConnectedChain): Promise<void>
  failed(state: 'unreachable' | 'misconfigured'): void
}

/** A connection to a chain that was reached before; with null, the connection of a service without a chain. */
export function connectedTo(chain: ConnectedChain | null): ChainConnection {
  return awaitChain({ isConfigured: chain !== null, known: chain })
}

/** A connection to a chain that was not reached yet. `onChange` is called when the state of a reached chain changes. */
export function awaitChain(options: {
  isConfigured: boolean
  /** A chain that was reached before. */
  known?: ConnectedChain | null
  onChange?: (state: ChainState) => void
}): AwaitedChain {
  let chain = options.known ?? null
  let state: ChainState = chain ? 'ready' : options.isConfigured ? 'unreachable' : 'not_configured'
  const waiting: ((chain: ConnectedChain) => Promise<void> | void)[] = []
  let refreshing: Promise<void> | undefined
  let refreshedAt = Number.NEGATIVE_INFINITY

  async function askNodes(known: Chain): Promise<void> {
    const now = await stateOf(known)
    if (now === state) return
    state = now
    options.onChange?.(now)
  }

  return {
    get state() {
      return state
    },
    get chain() {
      return chain?.forRequests ?? null
    },
    require() {
      if (chain) return chain.forRequests
      if (state === 'not_configured') throw new ServiceError('chain_not_configured')
      throw new ServiceError(
        'chain_unreachable',
        'The chain has not responded since the service started, so nothing can be paid or funded now. Try again later.',
      )
    },
    async whenReached(use) {
      if (chain) await use(chain)
      else waiting.push(use)
    },
    refresh() {
      if (chain && (!refreshing || performance.now() - refreshedAt >= freshMs)) {
        refreshedAt = performance.now()
        refreshing = askNodes(chain.forRequests)
      }
      return refreshing ?? Promise.resolve()
    },
    async reached(found) {
      await Promise.all(waiting.splice(0).map((use) => use(found)))
      chain = found
      state = 'ready'
    },
    failed(now) {
      state = now
    },
  }
}

async function stateOf(chain: Chain): Promise<ChainState> {
  const reply = chain.client.getChainId().then(
    () => 'ready' as const,
    (error) => (isOfWrongChain(error) ? ('misconfigured' as const) : ('unreachable' as const)),
  )
  return within(patienceMs, reply, () => 'unreachable')
}
