import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ConfigError } from '../../config/config.ts'
import { nodeErrorText } from '../../config/node-error-text.ts'
import type { ConnectedChain } from '../../money/chain/chain.ts'
import { isOfSilentNode } from '../../money/chain/client.ts'
import type { AwaitedChain } from '../../money/chain/connection.ts'
import { DeploymentError } from '../../money/chain/deploy/deploy.ts'

/** Pause between two attempts to reach the chain, in ms. */
const pauseMs = 1000

/** The consequence of a silent chain, for the log. */
const consequence = 'reads are served, requests that need the chain get 503'

/** Codes of deployments that stopped because the chain stood still; they can be repeated. */
const temporary = new Set(['unreachable', 'transaction_pending'])

/**
 * Reaches the chain by `attempt`, which connects to it and brings our contracts up to date. Where no node replies it
 * returns and goes on trying in the background.
 * @throws what the first attempt throws when the settings are wrong
 */
export async function reachChain(
  connection: AwaitedChain,
  attempt: () => Promise<ConnectedChain>,
  { log, isOver }: { log: Logger; isOver: () => boolean },
): Promise<void> {
  try {
    await connection.reached(await attempt())
  } catch (error) {
    if (!isTemporary(error)) throw error
    log.warn({ reason: reasonOf(error) }, `STARTED WITHOUT ITS CHAIN: ${consequence}; trying again`)
    void keepTrying(reasonOf(error))
  }

  async function keepTrying(first: string): Promise<void> {
    for (let reported = first; ; ) {
      await delay(pauseMs, undefined, { ref: false })
      if (isOver()) return
      try {
        await connection.reached(await attempt())
        log.warn('the chain was reached; payouts and activations continue')
        return
      } catch (error) {
        const reason = reasonOf(error)
        const state = isTemporary(error) || !isAboutSettings(error) ? 'unreachable' : 'misconfigured'
        connection.failed(state)
        if (reason !== reported && !isOver()) reportFailure(state, reason)
        reported = reason
      }
    }
  }

  function reportFailure(state: 'unreachable' | 'misconfigured', reason: string): void {
    if (state === 'unreachable')
      log.warn({ reason }, `the chain was not reached: ${consequence}; trying again`)
    else log.error({ reason }, `NEEDS OPERATOR: the chain cannot be used: ${consequence}; trying again`)
  }
}

/** Whether the attempt may succeed later without a change of settings or contracts. */
function isTemporary(error: unknown): boolean {
  if (error instanceof DeploymentError) return temporary.has(error.code)
  return isOfSilentNode(error)
}

/** Whether the error is about settings or contracts, not about a connection. */
function isAboutSettings(error: unknown): boolean {
  return error instanceof ConfigError || error instanceof DeploymentError
}

function reasonOf(error: unknown): string {
  return error instanceof Error && isAboutSettings(error) ? error.message : nodeErrorText(error)
}
