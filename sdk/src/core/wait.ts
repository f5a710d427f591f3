import { NotConfirmedError, type RelayState, TimeoutError } from './errors.ts'
import type { CallOptions } from './options.ts'
import { newIdempotencyKey } from './request.ts'
import { mayRepeat, pause, persist, usualWaitMs, type WaitLimits } from './retry.ts'

/** Pauses between reads, in ms: each is half as long again as the one before. */
interface Pauses {
  firstMs: number
  longestMs: number
}

/** Pauses between two reads of something that the chain confirms. */
const chainPauses = { firstMs: 1_000, longestMs: 1_000 }
/** Pauses between two looks at a list. */
const listPauses = { firstMs: 1_000, longestMs: 15_000 }

/**
 * Reads until `isOver`, or until the next read would come after `waitMs`. Resolves with what was read last, also if the service
 * cannot be reached at the end.
 */
export async function pollUntil<Response>(
  read: (signal: AbortSignal) => Promise<Response>,
  isOver: (response: Response) => boolean,
  { waitMs = Number.POSITIVE_INFINITY, signal }: WaitLimits,
  pauses: Pauses,
): Promise<Response> {
  const deadline = Date.now() + waitMs
  let last: [Response] | undefined
  for (let pauseMs = pauses.firstMs; ; pauseMs = Math.min(pauseMs * 1.5, pauses.longestMs)) {
    try {
      last = [await persist(read, { waitMs: last ? Math.max(deadline - Date.now(), 0) : waitMs, signal })]
    } catch (error) {
      if (!last || signal?.aborted || !mayRepeat(error)) throw error
      return last[0]
    }
    if (isOver(last[0]) || Date.now() + pauseMs > deadline) return last[0]
    await pause(pauseMs, signal)
  }
}

/**
 * Looks again and again, every few seconds, until `find` finds something.
 * @throws TimeoutError if that is not within `waitMs`
 */
export async function untilFound<Item>(
  find: (signal: AbortSignal) => Promise<Item | undefined>,
  limits: WaitLimits,
): Promise<Item> {
  const found = await pollUntil(find, (item) => item !== undefined, limits, listPauses)
  if (found === undefined) throw new TimeoutError(`nothing came within ${limits.waitMs} ms`)
  return found
}

/**
 * Starts a withdrawal or an allowance, with one Idempotency-Key, and reads its state until it is confirmed.
 * @throws NotConfirmedError if it failed, or is not confirmed after `waitMs`
 */
export async function untilConfirmed<Response>(
  start: (call: CallOptions) => Promise<Response>,
  read: (started: Response, call: CallOptions) => Promise<Response>,
  stateOf: (response: Response) => RelayState,
  options: CallOptions & WaitLimits,
): Promise<Response> {
  const { waitMs = usualWaitMs, signal: outer, idempotencyKey = newIdempotencyKey(), ...call } = options
  let started: Response | undefined
  const next = async (signal: AbortSignal) => {
    if (started) return read(started, { ...call, signal })
    started = await start({ ...call, idempotencyKey, signal })
    return started
  }
  const isOver = (response: Response) => ['confirmed', 'failed'].includes(stateOf(response).status)
  const response = await pollUntil(next, isOver, { waitMs, signal: outer }, chainPauses)
  if (stateOf(response).status !== 'confirmed') throw new NotConfirmedError(stateOf(response))
  return response
}
