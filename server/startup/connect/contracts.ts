import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Config, ConfigError } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { type Embedded, fundAccount } from '../../embedded/index.ts'
import type { ConnectedChain } from '../../money/chain/chain.ts'
import { DeploymentError, deployContracts } from '../../money/chain/deploy/deploy.ts'
import type { ChainSource } from './nodes.ts'
import { planChain } from './plan.ts'
import { rememberWallet } from './remembered-wallet.ts'

/** The least balance of an operator key of the embedded chain after the start. */
const embeddedGasBalance = parseEther('1000')

/**
 * The configured chain, or the embedded one, with our contracts on it. Carries out what the plan finds missing: contracts are
 * deployed, and operator keys added. Safe to repeat.
 * @throws ConfigError, DeploymentError
 */
export async function connectContracts(
  config: Config,
  { db, embedded, report }: { db: Database; embedded: Embedded | undefined; report: (line: string) => void },
  source: ChainSource,
): Promise<ConnectedChain> {
  if (embedded?.chain)
    for (const key of [source.deployerKey, ...source.keys])
      await fundAccount(embedded.chain.rpcUrl, privateKeyToAccount(key).address, embeddedGasBalance)
  let plan = await planChain(config, db, source)
  for (const { level, atStart } of plan.findings) if (level === 'warn' && atStart) report(atStart)
  if (plan.missing) {
    // Where only the owner may add an operator, this prints the call, and the second plan says what is wrong.
    const deployed = await deployContracts({ ...plan.missing, log: report })
    await rememberWallet(db, deployed.chainId, deployed.platformWallet)
    plan = await planChain(config, db, source)
  }
  const wrong = plan.findings.filter(({ level }) => level === 'wrong')
  if (wrong.length > 0) throw new ConfigError(wrong)
  const { chain } = plan
  if (!chain)
    throw new DeploymentError('transaction_pending', 'The node does not show the new contracts yet.')
  if (!config.PLATFORM_WALLET_ADDRESS) await rememberWallet(db, chain.id, chain.platformWallet)
  const dollars = chain.dollar ? `dollars ${chain.dollar.address}` : `no dollars: ${chain.noDollar}`
  report(`Chain ${chain.id} (${chain.name}), platform wallet ${chain.platformWallet}, ${dollars}`)
  return chain
}
