import { BaseError, HttpRequestError, type HttpTransport, hexToNumber, http, TimeoutError } from 'viem'
import { strictFetch } from './strict-fetch.ts'

/** How long a node that broke off is left alone while there are others, in ms. */
const restMs = 3000
const timeout = 10_000

/** Calls are refused that anybody may send again later. */
const tooManyRequests = 429

/** A node that broke off is not asked, because others are there. */
class ParkedError extends BaseError {
  override name = 'ParkedError'
  constructor() {
    super('The node did not answer a moment ago.')
  }
}

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
      if (performance.now() < restsUntil) throw new ParkedError()
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
  return error instanceof WrongChainError || isSilence(error)
}

/** Whether nobody answered, as far as `error` or what caused it tells; the same may be asked again later. */
export function isOfSilentNode(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      isSilence(cause) ||
      cause instanceof ParkedError ||
      (cause instanceof HttpRequestError && cause.status === tooManyRequests),
  )
}

/** Whether `error` was caused by a node of another chain. */
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
