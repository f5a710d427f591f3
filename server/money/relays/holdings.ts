import { sql } from 'kysely'
import { type Address, BaseError, ContractFunctionRevertedError, type Hex, type PublicClient } from 'viem'
import type { Database } from '../../db/client.ts'
import { bondingCurve, projectToken } from '../chain/generated/contracts.ts'
import type { RelayTerms } from './store.ts'

/** A token in a wallet. Addresses are in lower case. */
export type Holder = Pick<RelayTerms, 'token' | 'wallet' | 'founder'>

/** Identifies a nonce of a wallet. */
export type NonceOf = Pick<RelayTerms, 'kind' | 'token' | 'wallet' | 'nonce'>

/** Whether the chain has used a relay's nonce, as of a block. Once used, it stays used. */
export async function isNonceUsed(client: PublicClient, of: NonceOf, blockNumber: bigint): Promise<boolean> {
  const token = { abi: projectToken.abi, address: of.token, blockNumber } as const
  if (of.kind !== 'permit')
    return client.readContract({ ...token, functionName: 'authorizationState', args: [of.wallet, of.nonce] })
  return (
    (await client.readContract({ ...token, functionName: 'nonces', args: [of.wallet] })) > BigInt(of.nonce)
  )
}

/** A withdrawal or a deposit that a balance may still contain. */
export interface PendingWithdrawal {
  /** In lower case. */
  token: string
  wallet: string
  nonce: Hex
  /** Base units. */
  amount: bigint
}

/**
 * An agent's withdrawals and deposits that a balance may still contain: those that are running, and those that were confirmed in the last
 * hour, because a node may lag behind the one that showed them. Read it before the block of the balance.
 */
export async function listPending(db: Database, agentId: string): Promise<PendingWithdrawal[]> {
  const { rows } = await sql<{ token: string; wallet: string; nonce: Hex; amount: string }>`
    select token, wallet, nonce, coalesce(amount_moved, amount)::text as amount
    from relays where agent_id = ${agentId} and kind <> 'permit' and (status = 'running'
      or (status = 'confirmed' and updated_at > statement_timestamp() - interval '1 hour'))`.execute(db)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** Base units that requests have taken of a token in a wallet since its pending withdrawals were listed. */
export async function takenSince(
  trx: Database,
  agentId: string,
  { token, wallet }: Holder,
  before: readonly PendingWithdrawal[],
): Promise<bigint> {
  const known = new Set(before.map(({ nonce }) => nonce))
  const since = (await listPending(trx, agentId)).filter(
    (one) => one.token === token && one.wallet === wallet && !known.has(one.nonce),
  )
  return since.reduce((sum, { amount }) => sum + amount, 0n)
}

/** What a wallet holds of a token, in base units. */
export interface Holding {
  balance: bigint
  /** What is left of the founder's bounty reserve, which only payouts can move. */
  reserve: bigint
  /** `balance - reserve` without the pending withdrawals that the chain does not show as used; below 0 if they exceed it. */
  withdrawable: bigint
}

/** Reads what a wallet holds as of a block. */
export async function readHolding(
  client: PublicClient,
  { token, wallet, founder }: Holder,
  blockNumber: bigint,
  pending: readonly PendingWithdrawal[] = [],
): Promise<Holding> {
  const erc20 = { abi: projectToken.abi, address: token, blockNumber } as const
  const own = pending.filter((one) => one.token === token && one.wallet === wallet.toLowerCase())
  const [balance, reserve, unused] = await Promise.all([
    client.readContract({ ...erc20, functionName: 'balanceOf', args: [wallet] }),
    wallet === founder ? client.readContract({ ...erc20, functionName: 'bountyReserve' }) : 0n,
    Promise.all(
      own.map(async ({ nonce, amount }) => {
        const isUsed = await isNonceUsed(client, { kind: 'withdrawal', token, wallet, nonce }, blockNumber)
        return isUsed ? 0n : amount
      }),
    ),
  ])
  const withdrawable = unused.reduce((left, amount) => left - amount, balance - reserve)
  return { balance, reserve, withdrawable }
}

/** What a curve pays for `amount` base units, in wei, as of a block; 0 where it refuses the sale. */
export async function quoteSale(
  client: PublicClient,
  curve: Address,
  amount: bigint,
  blockNumber: bigint,
): Promise<bigint> {
  try {
    const sale = { functionName: 'quoteSell', args: [amount], blockNumber } as const
    const [ethOut] = await client.readContract({ abi: bondingCurve.abi, address: curve, ...sale })
    return ethOut
  } catch (error) {
    const isRefusal =
      error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    if (isRefusal) return 0n
    throw error
  }
}

/** Base units that a curve takes back, as of a block: what buyers hold. */
export function readSold(client: PublicClient, curve: Address, blockNumber: bigint): Promise<bigint> {
  return client.readContract({ abi: bondingCurve.abi, address: curve, functionName: 'sold', blockNumber })
}
