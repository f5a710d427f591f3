import { type Config, ConfigError } from '../../config/config.ts'
import { type Finding, ok, warn, wrong } from '../../config/finding.ts'
import { nodeErrorText } from '../../config/node-error-text.ts'
import type { Database } from '../../db/client.ts'
import { chainSource } from '../../startup/connect/nodes.ts'
import { planChain } from '../../startup/connect/plan.ts'
import { checkLogs } from './logs.ts'

/** Checks the configured nodes for everything that the service needs; sends nothing. */
export async function checkChain(config: Config, db: Database | undefined): Promise<Finding[]> {
  const source = chainSource(config, undefined)
  if (!source) {
    const text = config.EMBEDDED === 'off' ? 'activations and payouts get 503' : 'an embedded chain will run'
    return [(config.EMBEDDED === 'off' ? warn : ok)('CHAIN_RPC_URL', `not set: ${text}`)]
  }
  try {
    const { findings } = await planChain(config, db, source)
    const isOne = source.rpcUrls.length === 1
    const ofLogs = source.rpcUrls.map((url, index) =>
      checkLogs(url, isOne ? 'logs' : `logs, address ${index + 1}`),
    )
    const all = [...findings, ...(await Promise.all(ofLogs)).flat()]
    return all.map(({ level, about, text }) => ({ level, about, text }))
  } catch (error) {
    return error instanceof ConfigError ? [...error.problems] : [wrong('CHAIN_RPC_URL', nodeErrorText(error))]
  }
}
