import type { Logger } from 'pino'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { lockBounty } from '../../lifecycle/situation.ts'
import { depositNonce } from '../chain/authorizations.ts'
import type { Chain } from '../chain/chain.ts'
import { beginOrder } from '../orders/move.ts'
import { bountiesByPayoutId } from '../payouts/recognize/queries.ts'
import { findDeposit } from './store.ts'

/** Dollars that a platform wallet has locked, as its log shows. */
export interface LockedDollars {
  platformWallet: Address
  payoutId: Hex
  /** The token of the project. */
  token: Address
  funder: Address
  /** Base units of the coin. */
  dollars: bigint
  blockNumber: number
}

/**
 * Stores the deposits again that this database has lost, as after the restore of a backup. Their relays are running then: the sweep
 * settles them by what the chain shows, and finds out where the dollars have gone since.
 */
export async function recognizeDeposits(
  { db, chain, log }: { db: Database; chain: Chain; log: Logger },
  locked: readonly LockedDollars[],
): Promise<void> {
  if (locked.length === 0) return
  const ids = locked.map(({ payoutId }) => payoutId)
  const bounties = await bountiesByPayoutId(db, chain.id, ids)
  for (const lock of locked) {
    const bounty = bounties.get(lock.payoutId)
    if (!bounty || !(await inTransaction(db, (trx) => store(trx, chain, bounty.id, lock)))) continue
    log.warn(
      { entityId: bounty.id },
      'a deposit that the database has lost is stored again; its relay settles it',
    )
  }
}

/** @returns false where the deposit is known, or not certainly that of the bounty's founder */
async function store(
  trx: Database,
  { id: chain_id, dollar }: Chain,
  bountyId: string,
  { platformWallet, payoutId, token, funder, dollars, blockNumber }: LockedDollars,
): Promise<boolean> {
  await lockBounty(trx, bountyId)
  if (await findDeposit(trx, bountyId)) return false
  const project = await trx
    .selectFrom('projects')
    .innerJoin('bounties', 'bounties.project_id', 'projects.id')
    .where('bounties.id', '=', bountyId)
    .select(['projects.id', 'founder_id', 'founder_wallet', 'token_address'])
    .executeTakeFirstOrThrow()
  const isOfProject =
    isAddressEqual(project.token_address as Address, token) &&
    isAddressEqual(project.founder_wallet as Address, funder)
  if (!isOfProject || !dollar) return false
  const relay_id = newId('deposit')
  const of = { agent_id: project.founder_id, project_id: project.id, chain_id, amount: dollars.toString() }
  await beginOrder(trx, 'relay', {
    ...of,
    id: relay_id,
    kind: 'deposit',
    token: dollar.address.toLowerCase(),
    wallet: funder.toLowerCase(),
    recipient: platformWallet,
    nonce: depositNonce({ payoutId, projectToken: token }),
    head_block: blockNumber,
    // It was used already.
    valid_before: 0,
    gas_reserved_wei: '0',
  })
  await beginOrder(trx, 'deposit', {
    ...of,
    bounty_id: bountyId,
    payout_id: payoutId,
    platform_wallet: platformWallet.toLowerCase(),
    relay_id,
  })
  return true
}
