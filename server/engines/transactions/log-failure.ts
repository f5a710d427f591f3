import type { Logger } from 'pino'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import { LeaseLostError } from './lane-lease.ts'

/** Runs one step of a turn; that it fails must not keep the turn from the next, unless the lane is lost. */
export async function logOnError(
  context: { address: string; log: Logger },
  what: string,
  step: () => Promise<unknown>,
): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    context.log.warn({ lane: context.address, reason: nodeErrorText(error) }, what)
  }
}
