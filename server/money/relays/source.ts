import type { Selectable } from 'kysely'
import type { Address } from 'viem'
import type { Context } from '../../context.ts'
import type { Projects } from '../../db/generated/tables.ts'
import { ServiceError } from '../../errors.ts'
import { chainAddress } from '../chain/address.ts'
import type { Chain } from '../chain/chain.ts'
import { findManagedWallet } from '../wallets/managed-wallet.ts'

/** A token and the managed wallet that signs for it. Addresses are in lower case. */
export interface Source {
  chain: Chain
  project: Selectable<Projects>
  token: Address
  curve: Address
  wallet: Address
  /** The wallet that holds the bounty reserve. */
  founder: Address
}

/** @throws ServiceError `token_not_deployed`, `wallet_not_managed`, `chain_not_configured`, `chain_unreachable` */
export async function sourceOf(ctx: Context, project: Source['project'], agentId: string): Promise<Source> {
  const { token_address: token, curve_address: curve, founder_wallet: founder } = project
  if (token === null || curve === null || founder === null) throw new ServiceError('token_not_deployed')
  const managed = await findManagedWallet(ctx.services.db, agentId)
  if (!managed) throw new ServiceError('wallet_not_managed')
  return {
    chain: ctx.services.chain.require(),
    project,
    token: chainAddress(token),
    curve: chainAddress(curve),
    wallet: chainAddress(managed.address),
    founder: chainAddress(founder),
  }
}
