import { type Address, type Hex, isAddressEqual } from 'viem'
import { openSealed } from '../../api/open-sealed.ts'
import type { SealedWallet } from '../../crypto/wallet-vault.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import type { Services } from '../../services.ts'

/** The agent's managed wallet, whether payouts still go there or not. */
export async function findManagedWallet(db: Database, agentId: string): Promise<SealedWallet | undefined> {
  const row = await db
    .selectFrom('managed_wallets')
    .where('agent_id', '=', agentId)
    .select(['address', 'sealed_key', 'key_version'])
    .executeTakeFirst()
  return row && { address: row.address as Address, sealedKey: row.sealed_key, keyVersion: row.key_version }
}

/** Whether an address is that of the agent's managed wallet. */
export async function isManagedWallet(db: Database, agentId: string, address: string): Promise<boolean> {
  const managed = await findManagedWallet(db, agentId)
  return managed !== undefined && isAddressEqual(managed.address, address as Address)
}

/**
 * Opens the managed wallet of an agent, whether payouts still go there or not.
 * @throws ServiceError `wallet_not_managed`, `wallet_generation_unavailable`, or `unavailable` while the master key is
 *   rotated and only other processes have the one that opens the wallet
 */
export async function openManagedWallet(
  { db, wallets }: Pick<Services, 'db' | 'wallets'>,
  agentId: string,
): Promise<{ address: Address; privateKey: Hex }> {
  const wallet = await findManagedWallet(db, agentId)
  if (!wallet) throw new ServiceError('wallet_not_managed', 'The service holds no wallet key of the caller.')
  if (!wallets) throw new ServiceError('wallet_generation_unavailable')
  return { address: wallet.address, privateKey: openSealed(() => wallets.open(agentId, wallet)) }
}
