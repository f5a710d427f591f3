import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../errors.ts'
import type { Chain } from './chain.ts'
import { isOfWrongChain } from './client.ts'

/** Where the service stands with its chain. `misconfigured` is a chain or contracts other than the configured ones. */
export type ChainState = 'not_configured' | 'unreachable' | 'misconfigured' | 'ready'

/** Longest time a node gets to say that it is there, and how long its answer is believed, in ms. */
const patienceMs = 3000
const trustedMs = 1000

/** The way to the configured chain, whose nodes may be silent when the service starts, and at any time later. */
export interface ChainConnection {
  /** As of the last attempt to reach the chain, or the last {@link ChainConnection.look}. */
  readonly state: ChainState
  /** Null until the chain was reached and its contracts were checked, and where none is configured. */
  readonly chain: Chain | null
  /**
   * The chain, for what cannot be done without.
   * @throws ServiceError `chain_not_configured`, `chain_unreachable`
   */
  require(): Chain
  /**
   * Calls `use` as soon as the chain was reached. Where that was before, resolves after it; else at once, and nobody gets the
   * chain by other means until it has resolved.
   */
  whenReached(use: (chain: Chain) => Promise<void> | void): Promise<void>
  /** Brings `state` up to date; asks the nodes once a second at most and never waits for them longer than three. */
  look(): Promise<void>
}

/** A connection together with what only its maker may do. */
export interface AwaitedChain extends ChainConnection {
  /** The chain was reached and everything on it is as it has to be. Resolves when everybody has it. */
  reached(chain: Chain): Promise<void>
  failed(state: 'unreachable' | 'misconfigured'): void
}

/** A connection to a chain that was reached before, or to none because none is configured. */
export function connectedTo(chain: Chain | null): ChainConnection {
  return awaitChain({ isConfigured: chain !== null, known: chain })
}

/** A connection to a chain that was not reached yet. `onChange` is told when a chain that was reached falls silent. */
export function awaitChain(options: {
  isConfigured: boolean
  /** A chain that was reached before. */
  known?: Chain | null
  onChange?: (state: ChainState) => void
}): AwaitedChain {
  let chain = options.known ?? null
  let state: ChainState = chain ? 'ready' : options.isConfigured ? 'unreachable' : 'not_configured'
  const waiting: ((chain: Chain) => Promise<void> | void)[] = []
  let look: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

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
      return chain
    },
    require() {
      if (chain) return chain
      if (state === 'not_configured') throw new ServiceError('chain_not_configured')
      throw new ServiceError(
        'chain_unreachable',
        'The chain has not answered since the service started, so nothing can be paid or funded now. Try again later.',
      )
    },
    async whenReached(use) {
      if (chain) await use(chain)
      else waiting.push(use)
    },
    look() {
      if (chain && (!look || performance.now() - lookedAt >= trustedMs)) {
        lookedAt = performance.now()
        look = askNodes(chain)
      }
      return look ?? Promise.resolve()
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
  const answer = chain.client.getChainId().then(
    () => 'ready' as const,
    (error) => (isOfWrongChain(error) ? ('misconfigured' as const) : ('unreachable' as const)),
  )
  return Promise.race([answer, delay(patienceMs, 'unreachable' as const, { ref: false })])
}
