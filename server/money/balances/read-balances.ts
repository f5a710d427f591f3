import pLimit from 'p-limit'
import { type Address, getAddress, type PublicClient } from 'viem'
import { chainAddress } from '../chain/address.ts'
import { type Chain, reachable } from '../chain/chain.ts'
import { toDecimal } from '../chain/units.ts'
import { type PendingWithdrawal, quoteSale, readHolding, readSold } from '../relays/holdings.ts'
import type { HeldToken } from './queries.ts'

/** How many tokens one request reads at the same time. */
const tokensAtOnce = 4

/** The managed wallet of the caller, and what it is withdrawing already. */
export interface Withdrawals {
  wallet: string | undefined
  pending: readonly PendingWithdrawal[]
}

/** Reads all balances at one block. @throws ServiceError `chain_unreachable` */
export function readBalances(chain: Chain, tokens: readonly HeldToken[], withdrawals: Withdrawals) {
  return reachable(async () => {
    const blockNumber = await chain.client.getBlockNumber()
    const atOnce = pLimit(tokensAtOnce)
    const reads = tokens.flatMap((token) =>
      token.wallets.map((wallet) =>
        atOnce(() => readBalance(chain, token, wallet, withdrawals, blockNumber)),
      ),
    )
    return Promise.all(reads)
  })
}

async function readBalance(
  chain: Chain,
  token: HeldToken,
  wallet: Address,
  { wallet: managed, pending }: Withdrawals,
  blockNumber: bigint,
) {
  const { client } = chain
  const holder = { token: chainAddress(token.token_address), wallet, founder: token.founder_wallet }
  const isManaged = wallet === managed
  const held = await readHolding(client, holder, blockNumber, isManaged ? pending : [])
  const { balance, reserve, withdrawable } = held
  const value = await readValue(client, chainAddress(token.curve_address), balance - reserve, blockNumber)
  return {
    ...token,
    wallet_address: getAddress(wallet),
    balance: toDecimal(balance),
    reserve: toDecimal(reserve),
    withdrawable: toDecimal(isManaged && withdrawable > 0n ? withdrawable : 0n),
    value_eth: toDecimal(value),
  }
}

/** What a curve pays for as much of `amount` as it takes. */
async function readValue(client: PublicClient, curve: Address, amount: bigint, blockNumber: bigint) {
  if (amount === 0n) return 0n
  const sold = await readSold(client, curve, blockNumber)
  return sold === 0n ? 0n : quoteSale(client, curve, amount < sold ? amount : sold, blockNumber)
}
