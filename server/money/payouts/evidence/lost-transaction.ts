import { type Address, type Hash, type Hex, isAddressEqual, keccak256, serializeTransaction } from 'viem'
import type { Database } from '../../../db/client.ts'
import type { Chain } from '../../chain/chain.ts'
import { noteOnOrder } from '../../orders/move.ts'
import { insertSigned } from '../../transactions/store.ts'
import type { SignedAttempt } from '../../transactions/types.ts'
import { type Dollars, dollarColumns } from '../dollars.ts'

/** A mined transaction of one of our signers that the database has lost, rebuilt from the chain. */
export interface LostTransaction {
  from: Address
  nonce: number
  to: Address
  data: Hex
  gasLimit: bigint
  attempt: SignedAttempt
}

/**
 * Rebuilds a transaction of one of our signers with its signed bytes, so that it can be checked and sent again like any
 * other. Undefined if somebody else sent it or the node does not return all of it.
 */
export async function rebuildTransaction(chain: Chain, hash: Hash): Promise<LostTransaction | undefined> {
  const found = await chain.client.getTransaction({ hash })
  const { from, nonce, to, input, gas, value, blockNumber } = found
  if (found.type !== 'eip1559' || to === null || blockNumber === null) return undefined
  if (!chain.operators.some(({ address }) => isAddressEqual(address, from))) return undefined
  const { maxFeePerGas, maxPriorityFeePerGas, accessList, r, s, yParity } = found
  const content = { chainId: chain.id, nonce, to, data: input, gas, value, accessList }
  const raw = serializeTransaction(
    { ...content, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas },
    { r, s, yParity },
  )
  if (keccak256(raw) !== hash) return undefined
  const attempt = { hash, raw, maxFeePerGas, maxPriorityFeePerGas, headBlock: Number(blockNumber) }
  return { from, nonce, to, data: input, gasLimit: gas, attempt }
}

/** Whether the database has given this nonce to another transaction. */
export async function isNonceTaken(
  db: Database,
  chainId: number,
  { from, nonce }: LostTransaction,
): Promise<boolean> {
  const row = await db
    .selectFrom('transactions')
    .select('id')
    .where('chain_id', '=', chainId)
    .where('from_address', '=', from.toLowerCase())
    .where('nonce', '=', nonce)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores a lost transaction as that of a payout: from then on its signer checks it until its block is final. */
export async function restoreTransaction(
  trx: Database,
  submissionId: string,
  chainId: number,
  lost: LostTransaction,
  dollars: Dollars,
): Promise<void> {
  const signed = { ...lost, chainId, purpose: 'payout', entityId: submissionId } as const
  const transaction_id = await insertSigned(trx, signed)
  await noteOnOrder(trx, 'payout', submissionId, { transaction_id, ...dollarColumns(dollars) })
}
