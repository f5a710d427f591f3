import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Chain } from '../../chain/chain.ts'
import { isOfSilentNode } from '../../chain/client.ts'
import type { AwaitedChain } from '../../chain/connection.ts'
import { DeploymentError } from '../../chain/deploy/deploy.ts'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import { ConfigError } from '../../config/config.ts'

/** Pause between two attempts to reach the chain, in ms. */
const pauseMs = 1000

/** What a chain that does not answer means for everybody, in the log. */
const consequence = 'reads are served, what needs the chain answers 503'

/** Deployments that stopped because the chain did not go on; running again is safe. */
const passing = new Set(['unreachable', 'transaction_pending'])

/**
 * Reaches the chain with `attempt`, which connects to it and brings everything on it up to date. Where nobody answers it
 * tries again until somebody does, and returns meanwhile.
 * @throws what the first attempt throws, where it was the settings and not the node
 */
export async function reachChain(
  connection: AwaitedChain,
  attempt: () => Promise<Chain>,
  { log, isOver }: { log: Logger; isOver: () => boolean },
): Promise<void> {
  try {
    await connection.reached(await attempt())
  } catch (error) {
    if (!isPassing(error)) throw error
    log.warn({ reason: reasonOf(error) }, `STARTED WITHOUT ITS CHAIN: ${consequence}; trying again`)
    void keepTrying(reasonOf(error))
  }

  async function keepTrying(first: string): Promise<void> {
    for (let told = first; ; ) {
      await delay(pauseMs, undefined, { ref: false })
      if (isOver()) return
      try {
        await connection.reached(await attempt())
        log.warn('the chain was reached; payouts and activations go on')
        return
      } catch (error) {
        const reason = reasonOf(error)
        const state = isPassing(error) || !isMendable(error) ? 'unreachable' : 'misconfigured'
        connection.failed(state)
        if (reason !== told && !isOver()) reportFailure(state, reason)
        told = reason
      }
    }
  }

  function reportFailure(state: 'unreachable' | 'misconfigured', reason: string): void {
    if (state === 'unreachable')
      log.warn({ reason }, `the chain was not reached: ${consequence}; trying again`)
    else log.error({ reason }, `NEEDS OPERATOR: the chain cannot be used: ${consequence}; trying again`)
  }
}

/** Whether the same attempt may succeed later without anybody having mended anything of ours. */
function isPassing(error: unknown): boolean {
  if (error instanceof DeploymentError) return passing.has(error.code)
  return isOfSilentNode(error)
}

/** Whether the error speaks of settings or contracts, not of what broke off on the way. */
function isMendable(error: unknown): boolean {
  return error instanceof ConfigError || error instanceof DeploymentError
}

function reasonOf(error: unknown): string {
  return error instanceof Error && isMendable(error) ? error.message : nodeErrorText(error)
}
