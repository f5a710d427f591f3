import { type Address, BaseError, decodeErrorResult, type Hex } from 'viem'
import { ConfigError } from '../../../config/config.ts'
import { contractErrors, platformWallet } from '../generated/contracts.ts'
import { type AdministrativeCall, administrativeCall } from './calls.ts'
import { createSender, DeploymentError, type Sender, summary } from './sender.ts'
import { type Environment, readContractSettings, requiredChain } from './settings.ts'

/**
 * Executes an administrative command. Sends it with the first key of the command's settings that is set; without a key it
 * prints the call, for a multi-signature wallet.
 * Throws ConfigError and {@link DeploymentError}, which names the error if the contract refuses.
 * @returns whether it was sent
 */
export async function administer(
  environment: Environment,
  words: readonly string[],
  print: (line: string) => void,
): Promise<boolean> {
  const config = readContractSettings(environment)
  const wallet = config.PLATFORM_WALLET_ADDRESS
  if (!wallet)
    throw new ConfigError(
      'PLATFORM_WALLET_ADDRESS is not set: `platform_wallet` of GET /api/config/public, or the output of config:check',
    )
  const call = administrativeCall(wallet, words)
  const [privateKey] = call.keys.flatMap((setting) => config[setting] ?? [])
  if (!privateKey) {
    print(`to ${call.effect}, send:\nto    ${call.to}\nvalue 0\ndata  ${call.data}`)
    print(`nothing was sent: ${call.keys.join(' or ')} is not set`)
    return false
  }
  const sender = await createSender({ ...requiredChain(config), privateKey })
  await requireWallet(sender, wallet)
  await requireSuccess(sender, call)
  const { transactionHash, status, gasUsed } = await sender.send(call)
  if (status !== 'success') {
    throw new DeploymentError(
      'transaction_failed',
      `Transaction ${transactionHash} reverted; nothing changed.`,
    )
  }
  print(`done: ${call.effect}; transaction ${transactionHash}, gas ${gasUsed}`)
  return true
}

/** A call to an address without code would succeed and do nothing. */
async function requireWallet(sender: Sender, address: Address): Promise<void> {
  const found = await sender.reader
    .readContract({ address, abi: platformWallet.abi, functionName: 'paused' })
    .catch(() => undefined)
  if (found !== undefined) return
  throw new DeploymentError(
    'transaction_failed',
    `There is no platform wallet at ${address} on chain ${sender.chainId}.`,
  )
}

/** Simulates the call first, so that a refusal is reported by name and costs nothing. */
async function requireSuccess(sender: Sender, { to, data }: AdministrativeCall): Promise<void> {
  try {
    await sender.reader.call({ account: sender.address, to, data })
  } catch (error) {
    throw new DeploymentError('transaction_failed', `The contract refuses: ${contractErrorName(error)}`)
  }
}

function contractErrorName(error: unknown): string {
  const found =
    error instanceof BaseError
      ? error.walk((cause) => typeof (cause as { data?: unknown }).data === 'string')
      : null
  const data = (found as { data?: Hex } | null)?.data
  if (!data) return summary(error)
  try {
    return decodeErrorResult({ abi: contractErrors, data }).errorName
  } catch {
    return summary(error)
  }
}
