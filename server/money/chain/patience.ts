import { within } from '../../config/time-limit.ts'
import { ServiceError } from '../../errors.ts'

const reasons = ['chain_not_configured', 'token_not_deployed', 'chain_unreachable'] as const

/** Why there is no reading: no chain is configured, the project has no token there, or the chain does not respond in time. */
export type NoReading = (typeof reasons)[number]

/** Whether there is a reading. */
export function isRead<Result>(read: Result | NoReading): read is Result {
  return !reasons.some((reason) => reason === read)
}

/**
 * What a reading of the chain gives, or why it gives nothing.
 * @param ms longest time to wait
 * @throws what the reading throws for another reason
 */
export async function withinPatience<Result>(
  reading: Promise<Result>,
  ms: number,
): Promise<Result | NoReading> {
  try {
    return await within(ms, reading, () => 'chain_unreachable')
  } catch (thrown) {
    // tRPC wraps what a procedure throws.
    const error = thrown instanceof Error && thrown.cause instanceof ServiceError ? thrown.cause : thrown
    const reason = error instanceof ServiceError && reasons.find((code) => code === error.code)
    if (reason) return reason
    throw thrown
  }
}
