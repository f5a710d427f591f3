import { BaseError, HttpRequestError, type HttpTransport, hexToNumber, http, TimeoutError } from 'viem'
import { strictFetch } from './strict-fetch.ts'

/** How long a node that broke off is left alone while there are others, in ms. */
const restMs = 3000
const timeout = 10_000

/** A node answered that is on another chain than ours; nothing it says may be believed. */
export class WrongChainError extends BaseError {
  override name = 'WrongChainError'
  constructor(served: number, expected: number) {
    super(`The node serves chain ${served} instead of ${expected}.`)
  }
}

/**
 * Transport to one node that is asked for its chain id before anything else, and again after every connection that
 * broke: behind an address another node, even of another chain, may answer next time. A node that broke off `rests`, so
 * that a fallback turns to the next one without waiting for a timeout at each request.
 */
export function guardedHttp(
  url: string,
  options: { chainId: number; retryCount: number; rests: boolean },
): HttpTransport {
  const connect = http(url, { fetchFn: strictFetch, timeout, retryCount: options.retryCount })
  // viem's fallback makes its transports anew for each request, so what is known of the node is kept here.
  let verified = false
  let restsUntil = 0
  return (parameters) => {
    const node = connect(parameters)
    const verify = async () => {
      const served = hexToNumber(await node.request({ method: 'eth_chainId' }))
      if (served !== options.chainId) throw new WrongChainError(served, options.chainId)
    }
    const request = async (call: { method: string; params?: unknown }) => {
      if (performance.now() < restsUntil) throw new BaseError('The node did not answer a moment ago.')
      try {
        if (!verified) await verify()
        verified = true
        return await node.request(call)
      } catch (error) {
        if (isUnavailable(error)) {
          verified = false
          if (options.rests) restsUntil = performance.now() + restMs
        }
        throw error
      }
    }
    return { ...node, request: request as typeof node.request }
  }
}

/** Whether a node could not be asked at all, so that another one may be asked the same. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof WrongChainError || error instanceof TimeoutError) return true
  return error instanceof HttpRequestError && (error.status === undefined || error.status >= 500)
}
