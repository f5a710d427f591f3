import type { Selectable } from 'kysely'
import type { Address } from 'viem'
import type { Context } from '../../context.ts'
import type { Projects } from '../../db/generated/tables.ts'
import { ServiceError } from '../../errors.ts'
import { chainAddress } from '../chain/address.ts'
import type { Chain } from '../chain/chain.ts'
import type { Dollar } from '../chain/dollar.ts'
import { findManagedWallet } from '../wallets/managed-wallet.ts'

/** A token, or the coin, and the wallet that signs for it. Addresses are in lower case. */
export interface Source {
  chain: Chain
  /** Null: a withdrawal of dollars. */
  project: Selectable<Projects> | null
  token: Address
  /** Null where the token is the coin. */
  curve: Address | null
  wallet: Address
  /** The wallet that holds the bounty reserve; null where the token is the coin. */
  founder: Address | null
  /** Of the coin. */
  dollar?: Dollar
}

/** One of a project's token. */
export interface ProjectSource extends Source {
  project: Selectable<Projects>
  curve: Address
  founder: Address
}

/** @throws ServiceError `token_not_deployed`, `wallet_not_managed`, `chain_not_configured`, `chain_unreachable` */
export async function sourceOf(
  ctx: Context,
  project: Selectable<Projects>,
  agentId: string,
): Promise<ProjectSource> {
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

/**
 * The coin, and a wallet that signs for it.
 * @throws ServiceError `dollars_unavailable`, `chain_not_configured`, `chain_unreachable`
 */
export function dollarSource(
  ctx: Context,
  wallet: string,
  project: Source['project'] = null,
): Source & { dollar: Dollar } {
  const { chain, dollar } = requireDollars(ctx)
  const token = chainAddress(dollar.address)
  return { chain, project, token, curve: null, wallet: chainAddress(wallet), founder: null, dollar }
}

/** The chain and its coin. @throws ServiceError `dollars_unavailable`, `chain_not_configured`, `chain_unreachable` */
export function requireDollars({ services }: Context): { chain: Chain; dollar: Dollar } {
  const chain = services.chain.require()
  const { dollar } = chain
  if (!dollar) throw new ServiceError('dollars_unavailable')
  return { chain, dollar }
}
