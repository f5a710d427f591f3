import {
  BaseError,
  type Hex,
  HttpRequestError,
  type HttpTransport,
  hexToNumber,
  http,
  TimeoutError,
  withTimeout,
} from 'viem'
import { strictFetch } from './strict-fetch.ts'

/** Pause before a parked node is probed, and between two probes, in ms. */
const parkedMs = 1000
const timeout = 10_000

/** HTTP status of a node that wants to be asked again later. */
const tooManyRequests = 429

/** A request did not reach a node, because it is parked. */
class ParkedError extends BaseError {
  override name = 'ParkedError'
  constructor(cause: Error) {
    super('The node is skipped, because it did not respond a moment ago.', { cause })
  }
}

/** A node has not replied within the patience of its client. */
class LateError extends BaseError {
  override name = 'LateError'
  constructor() {
    super('The node did not respond in time.')
  }
}

/** A node serves another chain than ours; its replies are ignored. */
export class WrongChainError extends BaseError {
  override name = 'WrongChainError'
  constructor(served: number, expected: number) {
    super(`The node serves chain ${served} instead of ${expected}.`)
  }
}

/** How a client treats one of its nodes. */
export interface NodeOptions {
  chainId: number
  /** Gets the number of every block that the node shows. */
  onBlock?: (number: number) => void
  retryCount: number
  /** Whether a node is parked that cannot be reached, because there are others to ask. */
  parks: boolean
  /**
   * Longest time that a call may take with its retries, in ms. A node that takes longer is parked even if it is the only
   * one. Default: each attempt has ten seconds.
   */
  patienceMs?: number
}

/**
 * A transport to one node. It reads the chain id before the first request and after every broken connection, because
 * another node, even of another chain, may reply at the address next time. Calls of a parked node fail at once, until it
 * replies to a probe; no call waits for that.
 */
export function guardedHttp(url: string, options: NodeOptions): HttpTransport {
  const { chainId, retryCount, parks, patienceMs, onBlock } = options
  const connect = http(url, { fetchFn: strictFetch, timeout, retryCount })
  // viem's fallback creates its transports anew for each request, so the state of the node is kept out here.
  let verified = false
  let parked: { because: Error; probeAt: number } | undefined
  const park = (error: unknown) => {
    parked = { because: error as Error, probeAt: performance.now() + parkedMs }
  }
  return (parameters) => {
    const node = connect(parameters)
    const verify = async (signal?: AbortSignal) => {
      if (verified) return
      const served = hexToNumber(await node.request({ method: 'eth_chainId' }, { signal }))
      if (served !== chainId) throw new WrongChainError(served, chainId)
      verified = true
    }
    const probe = async () => {
      try {
        await patiently(verify, patienceMs)
        parked = undefined
      } catch (error) {
        park(error)
      }
    }
    const request = async (call: { method: string; params?: unknown }) => {
      if (parked) {
        const { because, probeAt } = parked
        if (performance.now() >= probeAt) {
          parked.probeAt = Number.POSITIVE_INFINITY
          void probe()
        }
        throw new ParkedError(because)
      }
      try {
        return await patiently(async (signal) => {
          await verify(signal)
          const result = await node.request(call, { signal })
          const block = blockIn(call.method, result)
          if (block !== undefined) onBlock?.(block)
          return result
        }, patienceMs)
      } catch (error) {
        if (isUnavailable(error)) verified = false
        if (error instanceof LateError || (parks && isUnavailable(error))) park(error)
        throw error
      }
    }
    return { ...node, request: request as typeof node.request }
  }
}

/** The number of the block that a reply shows to be there. */
function blockIn(method: string, result: unknown): number | undefined {
  if (method === 'eth_blockNumber') return hexToNumber(result as Hex)
  if (!/^eth_get(BlockBy|TransactionReceipt)/.test(method)) return undefined
  const { number, blockNumber } = Object(result) as { number?: Hex | null; blockNumber?: Hex | null }
  const shown = number ?? blockNumber
  return shown ? hexToNumber(shown) : undefined
}

/** Calls a node and gives it up after `ms`. @throws LateError */
async function patiently<Result>(
  call: (signal?: AbortSignal) => Promise<Result>,
  ms: number | undefined,
): Promise<Result> {
  if (ms === undefined) return call()
  return withTimeout(({ signal }) => call(signal ?? undefined), {
    timeout: ms,
    signal: true,
    errorInstance: new LateError(),
  })
}

/** Whether a request reached no node of our chain, so that it may be sent to another one. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof WrongChainError || isSilence(error)
}

/** Whether `error` or one of its causes means that no node replied, so that the request may be repeated later. */
export function isOfSilentNode(error: unknown): boolean {
  return isRefusedForNow(error) || causesOf(error).some(isSilence)
}

/** Whether `error` or one of its causes means that a node was not asked, or wants to be asked later. */
export function isRefusedForNow(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      cause instanceof ParkedError || (cause instanceof HttpRequestError && cause.status === tooManyRequests),
  )
}

/** Whether `error` or one of its causes is a node of another chain. */
export function isOfWrongChain(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof WrongChainError)
}

function isSilence(error: unknown): boolean {
  if (error instanceof TimeoutError || error instanceof LateError) return true
  return error instanceof HttpRequestError && (error.status === undefined || error.status >= 500)
}

function causesOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
