import { BaseError, HttpRequestError, type HttpTransport, hexToNumber, http, TimeoutError } from 'viem'
import { strictFetch } from './strict-fetch.ts'

/** How long an unreachable node is parked while there are others, in ms. */
const parkedMs = 3000
const timeout = 10_000

/** HTTP status of a node that wants to be asked again later. */
const tooManyRequests = 429

/** A request did not reach a node, because it is parked. */
class ParkedError extends BaseError {
  override name = 'ParkedError'
  constructor() {
    super('The node is skipped, because it did not answer a moment ago.')
  }
}

/** A node serves another chain than ours; its replies are ignored. */
export class WrongChainError extends BaseError {
  override name = 'WrongChainError'
  constructor(served: number, expected: number) {
    super(`The node serves chain ${served} instead of ${expected}.`)
  }
}

/**
 * A transport to one node. It reads the chain id before the first request and after every broken connection, because
 * another node, even of another chain, may reply at the address next time. With `parks`, a node that cannot be reached is
 * parked, so that a fallback asks the next one without waiting for a timeout at each request.
 */
export function guardedHttp(
  url: string,
  options: { chainId: number; retryCount: number; parks: boolean },
): HttpTransport {
  const connect = http(url, { fetchFn: strictFetch, timeout, retryCount: options.retryCount })
  // viem's fallback creates its transports anew for each request, so the state of the node is kept out here.
  let verified = false
  let parkedUntil = 0
  return (parameters) => {
    const node = connect(parameters)
    const verify = async () => {
      const served = hexToNumber(await node.request({ method: 'eth_chainId' }))
      if (served !== options.chainId) throw new WrongChainError(served, options.chainId)
    }
    const request = async (call: { method: string; params?: unknown }) => {
      if (performance.now() < parkedUntil) throw new ParkedError()
      try {
        if (!verified) await verify()
        verified = true
        return await node.request(call)
      } catch (error) {
        if (isUnavailable(error)) {
          verified = false
          if (options.parks) parkedUntil = performance.now() + parkedMs
        }
        throw error
      }
    }
    return { ...node, request: request as typeof node.request }
  }
}

/** Whether a request reached no node of our chain, so that it may be sent to another one. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof WrongChainError || isSilence(error)
}

/** Whether `error` or one of its causes means that no node replied, so that the request may be repeated later. */
export function isOfSilentNode(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      isSilence(cause) ||
      cause instanceof ParkedError ||
      (cause instanceof HttpRequestError && cause.status === tooManyRequests),
  )
}

/** Whether `error` or one of its causes is a node of another chain. */
export function isOfWrongChain(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof WrongChainError)
}

function isSilence(error: unknown): boolean {
  if (error instanceof TimeoutError) return true
  return error instanceof HttpRequestError && (error.status === undefined || error.status >= 500)
}

function causesOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
