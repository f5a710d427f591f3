import { type Address, formatEther, type Hex } from 'viem'
import { hasCode } from './on-chain.ts'
import { CREATE2_PROXY } from './predict.ts'
import { DeploymentError, type Sender, summary } from './sender.ts'

/** A transaction with a made-up signature. Nobody has its sender's key, so the proxy has one address on every chain. */
const PRESIGNED: Hex =
  '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222'
const PRESIGNED_SENDER: Address = '0x3fAB184622Dc19b6109349B94811493BF2a45362'
/** The transaction's 100,000 gas at 100 gwei, in wei. */
export const PRESIGNED_COST = 10n ** 16n

/**
 * Puts the deterministic deployment proxy on the chain if it is missing. Costs the deployer at most 0.01 ETH and gas.
 * Throws {@link DeploymentError} `no_create2_proxy` if the chain does not accept the transaction.
 */
export async function ensureCreate2Proxy(sender: Sender, log: (line: string) => void): Promise<void> {
  const exists = () => hasCode(sender.reader, CREATE2_PROXY)
  if (await exists()) return
  log(`the deterministic deployment proxy ${CREATE2_PROXY} is missing on chain ${sender.chainId}: adding it`)
  const balance = await sender.reader.getBalance({ address: PRESIGNED_SENDER })
  if (balance < PRESIGNED_COST) {
    await sender.send({ to: PRESIGNED_SENDER, value: PRESIGNED_COST - balance })
  }
  try {
    await sender.sendRaw(PRESIGNED)
  } catch (error) {
    if (await exists()) return
    const reason = error instanceof DeploymentError ? error.message : summary(error)
    throw new DeploymentError(
      'no_create2_proxy',
      `Chain ${sender.chainId} has no deterministic deployment proxy and did not accept its transaction ` +
        `(${reason} ${formatEther(PRESIGNED_COST)} ETH are waiting at ${PRESIGNED_SENDER}). Ask the chain's operator for the proxy.`,
    )
  }
  if (await exists()) return
  throw new DeploymentError(
    'no_create2_proxy',
    `The deployment proxy's transaction failed on chain ${sender.chainId}.`,
  )
}
