import { type Hash, isAddressEqual, type Log, type PublicClient, parseEventLogs } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { platformWallet, projectToken } from '../chain/generated/contracts.ts'
import type { Payout } from './store.ts'

type Expected = Pick<Payout, 'payoutId' | 'platformWallet' | 'token' | 'from' | 'to' | 'amount' | 'fee'>

/**
 * What the logs of a successful transaction lack to be exactly this payout: one `Paid` of the platform wallet and one
 * Transfer a leg, with the exact token, parties and values, and nothing else of either. Undefined when nothing is amiss.
 */
export function payoutAnomaly(payout: Expected, treasury: Payout['to'], logs: Log[]): string | undefined {
  const ofWallet = logs.filter((log) => isAddressEqual(log.address, payout.platformWallet))
  const paid = parseEventLogs({ abi: platformWallet.abi, eventName: 'Paid', logs: ofWallet })
  if (paid.length !== 1 || !isPaidEvent(payout, paid[0]?.args))
    return 'the transaction succeeded without exactly the Paid event it should have'

  const ofToken = logs.filter((log) => isAddressEqual(log.address, payout.token))
  const transfers = parseEventLogs({ abi: projectToken.abi, eventName: 'Transfer', logs: ofToken })
  const legs = [{ from: payout.from, to: payout.to, amount: payout.amount }]
  if (payout.fee > 0n) legs.push({ from: payout.from, to: treasury, amount: payout.fee })
  const exact =
    transfers.length === legs.length &&
    legs.every((leg, index) => {
      const args = transfers[index]?.args
      return (
        args !== undefined &&
        isAddressEqual(args.from, leg.from) &&
        isAddressEqual(args.to, leg.to) &&
        args.amount === leg.amount
      )
    })
  return exact ? undefined : 'the transaction succeeded without exactly the transfers it should have made'
}

/** Where the platform wallet paid a payout id, by its own event, and whether that was exactly this payout. */
export async function findPayment(
  client: PublicClient,
  payout: Expected,
): Promise<{ hash: Hash; blockNumber: number; exact: boolean } | undefined> {
  const events = await client.getContractEvents({
    abi: platformWallet.abi,
    address: payout.platformWallet,
    eventName: 'Paid',
    args: { payoutId: payout.payoutId },
    fromBlock: 'earliest',
    strict: true,
  })
  const event = events[0]
  if (!event) return undefined
  return {
    hash: event.transactionHash,
    blockNumber: Number(event.blockNumber),
    exact: isPaidEvent(payout, event.args),
  }
}

/** Whether the founder could pay this now, in base units. */
export async function coversPayout(chain: Chain, payout: Expected): Promise<boolean> {
  const { balance, allowance } = await chain.funds(payout.token, payout.from)
  const gross = payout.amount + payout.fee
  return balance >= gross && allowance >= gross
}

function isPaidEvent(
  payout: Expected,
  args: { payoutId: Hash; token: Hash; from: Hash; to: Hash; amount: bigint; fee: bigint } | undefined,
): boolean {
  return (
    args !== undefined &&
    args.payoutId === payout.payoutId &&
    isAddressEqual(args.token, payout.token) &&
    isAddressEqual(args.from, payout.from) &&
    isAddressEqual(args.to, payout.to) &&
    args.amount === payout.amount &&
    args.fee === payout.fee
  )
}
