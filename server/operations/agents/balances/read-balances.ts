import pLimit from 'p-limit'
import type { Address } from 'viem'
import { chainAddress } from '../../../chain/address.ts'
import { takesAuthorizations } from '../../../chain/authorizations.ts'
import { type Chain, reachable } from '../../../chain/chain.ts'
import { bondingCurve, projectToken } from '../../../chain/generated/contracts.ts'
import type { HeldToken, RunningWithdrawal } from './queries.ts'

/** How many tokens one request reads at the same time. */
const tokensAtOnce = 4

/** A token in a wallet, in base units; `value` in wei. */
export interface Balance {
  token: HeldToken
  wallet: Address
  balance: bigint
  /** The founder's bounty reserve, which only payouts can move. */
  reserve: bigint
  /** What a withdrawal can move now. */
  withdrawable: bigint
  /** What the curve pays for as much of `balance - reserve` as it takes now, after its fee. */
  value: bigint
}

/** The managed wallet of the caller, and what it is withdrawing already. */
export interface Withdrawals {
  wallet: string | undefined
  running: readonly RunningWithdrawal[]
}

/** Reads all balances at one block. @throws ServiceError `chain_unreachable` */
export function readBalances(
  chain: Chain,
  tokens: readonly HeldToken[],
  withdrawals: Withdrawals,
): Promise<Balance[]> {
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
  withdrawals: Withdrawals,
  blockNumber: bigint,
): Promise<Balance> {
  const { client } = chain
  const tokenAddress = chainAddress(token.token_address)
  const erc20 = { abi: projectToken.abi, address: tokenAddress, blockNumber } as const
  const curve = { abi: bondingCurve.abi, address: chainAddress(token.curve_address), blockNumber } as const
  const isManaged = wallet === withdrawals.wallet
  const running = withdrawals.running.filter((one) => isManaged && one.token === tokenAddress)
  const [balance, reserve, sellable, canRelay, used] = await Promise.all([
    client.readContract({ ...erc20, functionName: 'balanceOf', args: [wallet] }),
    wallet === token.founder_wallet ? client.readContract({ ...erc20, functionName: 'bountyReserve' }) : 0n,
    client.readContract({ ...curve, functionName: 'maxSell', args: [wallet] }),
    isManaged && takesAuthorizations(chain, tokenAddress),
    Promise.all(
      running.map(({ nonce }) =>
        client.readContract({ ...erc20, functionName: 'authorizationState', args: [wallet, nonce] }),
      ),
    ),
  ])
  const [value] =
    sellable > 0n
      ? await client.readContract({ ...curve, functionName: 'quoteSell', args: [sellable] })
      : [0n]
  // The balance of this block lacks what used authorizations have moved.
  const leaving = running.filter((_, index) => !used[index]).reduce((sum, { amount }) => sum + amount, 0n)
  const free = balance - reserve - leaving
  return { token, wallet, balance, reserve, value, withdrawable: canRelay && free > 0n ? free : 0n }
}
