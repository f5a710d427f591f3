import { type Address, type Hash, isAddressEqual, type Log, type PublicClient, parseEventLogs } from 'viem'
import { chainAddress } from '../../chain/address.ts'
import type { Chain } from '../../chain/chain.ts'
import { platformWallet, projectToken } from '../../chain/generated/contracts.ts'
import { readCoin } from '../../chain/slot.ts'
import type { Problem } from '../../transactions/types.ts'
import { type Dollars, noDollars } from '../dollars.ts'
import type { Payout } from '../store.ts'

/** The payment that the chain must show for a payout. */
export type Expected = Pick<
  Payout,
  'payoutId' | 'platformWallet' | 'token' | 'from' | 'to' | 'amount' | 'fee' | keyof Dollars
>

/**
 * Why the logs of a successful transaction are not exactly this payout: they must hold one `Paid` event of the platform
 * wallet and one Transfer a leg, with the exact token, parties and values, and no others; with dollars also one `Released`
 * event and one Transfer of the coin. Undefined if they do.
 */
export function payoutAnomaly(payout: Expected, treasury: Address, logs: Log[]): Problem | undefined {
  const paid = paidEventsIn(payout, logs)
  if (paid.length !== 1 || !isPaidEvent(payout, paid[0]?.args))
    return 'the transaction succeeded without exactly the Paid event it should have'

  const { payoutId, platformWallet: wallet, to, dollars, dollarFee, dollarAddress } = payout
  const released = releasedIn(payout, logs)
  const isReleased =
    dollars === 0n
      ? released.length === 0
      : released.length === 1 &&
        released.every(
          ({ args }) =>
            args.payoutId === payoutId &&
            isAddressEqual(args.to, to) &&
            args.dollars === dollars &&
            args.fee === dollarFee,
        )
  if (!isReleased) return 'the transaction succeeded without exactly the Released event it should have'

  const legs = [{ from: payout.from, to, amount: payout.amount }]
  if (payout.fee > 0n) legs.push({ from: payout.from, to: treasury, amount: payout.fee })
  const ofCoin = [{ from: wallet, to, amount: dollars - dollarFee }]
  const isExact =
    movesExactly(payout.token, legs, logs) &&
    (dollarAddress === null || movesExactly(dollarAddress, ofCoin, logs))
  return isExact ? undefined : 'the transaction succeeded without exactly the transfers it should have made'
}

/** Whether these are all transfers of a token in the logs, in this order. The coin logs its own as every ERC-20 does. */
export function movesExactly(
  token: Address,
  legs: { from: Address; to: Address; amount: bigint }[],
  logs: Log[],
): boolean {
  const ofToken = logs.filter((log) => isAddressEqual(log.address, token))
  const transfers = parseEventLogs({ abi: projectToken.abi, eventName: 'Transfer', logs: ofToken })
  return (
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
  )
}

/** Whether its platform wallet has paid a payout, as of a block; default: the newest. */
export function isPaid(
  client: PublicClient,
  payout: Pick<Expected, 'payoutId' | 'platformWallet'>,
  blockNumber?: number,
): Promise<boolean> {
  return client.readContract({
    abi: platformWallet.abi,
    address: payout.platformWallet,
    functionName: 'paid',
    args: [payout.payoutId],
    ...(blockNumber !== undefined && { blockNumber: BigInt(blockNumber) }),
  })
}

/** The address that gets the fees of a payout: its platform wallet fixes it. */
export async function treasuryOf(chain: Chain, payout: Pick<Expected, 'platformWallet'>): Promise<Address> {
  if (isAddressEqual(payout.platformWallet, chain.platformWallet)) return chain.treasury
  return chain.client.readContract({
    abi: platformWallet.abi,
    address: payout.platformWallet,
    functionName: 'treasury',
  })
}

/** A payment that the platform wallet has made under a payout's id. */
export interface Payment {
  hash: Hash
  blockNumber: number
  /** Whether it is exactly the payout. Its dollars are those of the chain. */
  exact: boolean
  /** What it has released of the coin, and the part of that for the treasury. */
  released: { dollars: bigint; fee: bigint } | undefined
}

/** The payment of a payout, if these logs hold it. */
export function paymentIn(payout: Expected, logs: Log<bigint, number, false>[]): Payment | undefined {
  const event = paidEventsIn(payout, logs).find(({ args }) => args.payoutId === payout.payoutId)
  return (
    event && {
      hash: event.transactionHash,
      blockNumber: Number(event.blockNumber),
      exact: isPaidEvent(payout, event.args),
      released: releasedIn(payout, logs).find(({ args }) => args.payoutId === payout.payoutId)?.args,
    }
  )
}

/** What a payment has released, as a payout stores it. */
export async function releasedDollars(
  chain: Chain,
  { platformWallet }: Pick<Expected, 'platformWallet'>,
  released: Payment['released'],
): Promise<Dollars> {
  if (!released) return noDollars
  const dollarAddress = chainAddress(await readCoin(chain.client, platformWallet))
  return { dollars: released.dollars, dollarFee: released.fee, dollarAddress }
}

/** Whether the founder could pay this now, in base units. */
export async function coversPayout(chain: Chain, payout: Expected): Promise<boolean> {
  const { balance, allowance } = await chain.funds(payout.token, payout.from)
  const gross = payout.amount + payout.fee
  return balance >= gross && allowance >= gross
}

function paidEventsIn<Entry extends Log>(payout: Expected, logs: Entry[]) {
  const ofWallet = logs.filter((log) => isAddressEqual(log.address, payout.platformWallet))
  return parseEventLogs({ abi: platformWallet.abi, eventName: 'Paid', logs: ofWallet })
}

function releasedIn(payout: Expected, logs: Log[]) {
  const ofWallet = logs.filter((log) => isAddressEqual(log.address, payout.platformWallet))
  return parseEventLogs({ abi: platformWallet.abi, eventName: 'Released', logs: ofWallet })
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
