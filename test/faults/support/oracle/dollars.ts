import { type Address, type Hex, isAddressEqual, parseAbi, parseAbiItem } from 'viem'
import { feeBps } from './expected.ts'
import type { PaymentEvidence } from './payments.ts'
import type { ChainEvidence } from './transfers.ts'

/*
 * What has become of the dollars, by the coin and the platform wallet alone: all that was locked is held, was paid or went back,
 * once each; and what the service has stored says the same.
 */

const walletAbi = parseAbi([
  'function dollar() view returns (address)',
  'function accruedDollars() view returns (uint256)',
])
const coinAbi = parseAbi(['function balanceOf(address) view returns (uint256)'])
const events = {
  funded: parseAbiItem(
    'event Funded(bytes32 indexed payoutId, address indexed token, address indexed funder, uint256 dollars, uint256 lockedUntil)',
  ),
  released: parseAbiItem(
    'event Released(bytes32 indexed payoutId, address indexed to, uint256 dollars, uint256 fee)',
  ),
  refunded: parseAbiItem('event Refunded(bytes32 indexed payoutId, address indexed funder, uint256 dollars)'),
  paid: parseAbiItem(
    'event Paid(bytes32 indexed payoutId, address indexed token, address indexed from, address to, uint256 amount, uint256 fee)',
  ),
  transfer: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
}

/** A deposit, and how it has ended. */
interface Locked {
  payoutId: Hex
  funder: Address
  dollars: bigint
  ends: { kind: 'paid' | 'refunded'; to: Address; dollars: bigint; fee: bigint; hash: Hex }[]
}

type Transfer = { from: Address; to: Address; value: bigint; hash: Hex }

export async function wrongDollars(evidence: PaymentEvidence): Promise<string[]> {
  const { locked, transfers, paid, held, accrued, wallet } = await readDollars(evidence)
  const problems: string[] = []
  for (const one of locked) problems.push(...wrongEnd(one, paid, transfers, wallet))
  const ends = locked.flatMap((one) => one.ends)
  const out = ends.reduce((sum, { dollars, fee }) => sum + dollars - fee, 0n)
  const into = locked.reduce((sum, { dollars }) => sum + dollars, 0n)
  if (into !== out + held)
    problems.push(`${into} dollars were locked, ${out} have left, and ${held} are held`)
  const fees = ends.reduce((sum, { fee }) => sum + fee, 0n)
  if (fees !== accrued) problems.push(`fees of ${fees} dollars were taken and ${accrued} are kept`)
  const left = transfers.filter(({ from }) => isAddressEqual(from, wallet))
  if (left.length !== ends.length)
    problems.push(`dollars have left ${left.length} times for ${ends.length} payments and refunds`)
  return [...problems, ...(await wrongRows(evidence, locked))]
}

async function readDollars({ node, fixture }: ChainEvidence) {
  const wallet = fixture.platformWallet
  const range = { fromBlock: 0n, toBlock: 'latest' } as const
  const coin = await node.readContract({ abi: walletAbi, address: wallet, functionName: 'dollar' })
  const [funded, released, refunded, paid, transfers, held, accrued] = await Promise.all([
    node.getLogs({ address: wallet, event: events.funded, strict: true, ...range }),
    node.getLogs({ address: wallet, event: events.released, strict: true, ...range }),
    node.getLogs({ address: wallet, event: events.refunded, strict: true, ...range }),
    node.getLogs({ address: wallet, event: events.paid, strict: true, ...range }),
    node.getLogs({ address: coin, event: events.transfer, strict: true, ...range }),
    node.readContract({ abi: coinAbi, address: coin, functionName: 'balanceOf', args: [wallet] }),
    node.readContract({ abi: walletAbi, address: wallet, functionName: 'accruedDollars' }),
  ])
  const ends = [
    ...released.map(({ args, transactionHash: hash }) => ({ ...args, kind: 'paid' as const, hash })),
    ...refunded.map(({ args, transactionHash: hash }) => ({
      ...args,
      kind: 'refunded' as const,
      to: args.funder,
      fee: 0n,
      hash,
    })),
  ]
  return {
    wallet,
    held,
    accrued,
    paid: paid.map(({ args, transactionHash: hash }) => ({ ...args, hash })),
    transfers: transfers.map(({ args, transactionHash: hash }): Transfer => ({ ...args, hash })),
    locked: funded.map(
      ({ args: { payoutId, funder, dollars } }): Locked => ({
        payoutId,
        funder,
        dollars,
        ends: ends.filter((end) => end.payoutId === payoutId),
      }),
    ),
  }
}

/** Once at most, whole, with the tokens to who gets them, or back to the founder. */
function wrongEnd(
  { payoutId, funder, dollars, ends }: Locked,
  paid: { payoutId: Hex; to: Address; hash: Hex }[],
  transfers: Transfer[],
  wallet: Address,
): string[] {
  const problems: string[] = []
  if (ends.length > 1) problems.push(`the dollars of ${payoutId} have left ${ends.length} times`)
  const payment = paid.find((one) => one.payoutId === payoutId)
  if (payment && ends.length === 0) problems.push(`${payoutId} was paid without its dollars`)
  for (const end of ends) {
    const fee = end.kind === 'paid' ? (dollars * feeBps) / 10_000n : 0n
    if (end.dollars !== dollars || end.fee !== fee)
      problems.push(
        `${payoutId}: ${end.dollars} dollars have left with a fee of ${end.fee}, not ${dollars} and ${fee}`,
      )
    const moved = transfers.filter(({ hash }) => hash === end.hash)
    const isExact = moved.every(
      ({ from, to, value }) =>
        isAddressEqual(from, wallet) && isAddressEqual(to, end.to) && value === dollars - fee,
    )
    if (moved.length !== 1 || !isExact)
      problems.push(`${payoutId}: the coin has made other transfers than that one`)
    if (end.kind === 'refunded' && !isAddressEqual(end.to, funder))
      problems.push(`the dollars of ${payoutId} went back to somebody else`)
    const isWithTokens = payment?.hash === end.hash && isAddressEqual(payment.to, end.to)
    if (end.kind === 'paid' && !isWithTokens)
      problems.push(`the dollars of ${payoutId} were paid without its tokens`)
  }
  return problems
}

/** What the service has stored says what the chain shows; of payments that wait for an operator it may say nothing. */
async function wrongRows({ db }: PaymentEvidence, locked: Locked[]): Promise<string[]> {
  const [deposits, payouts] = await Promise.all([
    db.selectFrom('deposits').select(['payout_id', 'status', 'amount', 'end_tx']).execute(),
    db.selectFrom('payouts').select(['payout_id', 'status', 'dollars', 'dollar_fee', 'tx_hash']).execute(),
  ])
  const problems: string[] = []
  for (const { payoutId, dollars, ends } of locked) {
    const [end] = ends
    const row = deposits.find(({ payout_id }) => payout_id === payoutId)
    const own = payouts.filter(({ payout_id }) => payout_id === payoutId)
    const isUnclear = own.some(({ status }) => status === 'needs_operator')
    const isRight = row?.status === (end?.kind ?? 'locked') && row.end_tx === (end?.hash ?? null)
    if (BigInt(row?.amount ?? 0) !== dollars || !(isRight || isUnclear))
      problems.push(
        `the deposit of ${payoutId} is ${row?.status} by ${row?.end_tx}, and ${end?.kind} by ${end?.hash}`,
      )
    for (const payout of own.filter(({ status }) => status === 'settled')) {
      const released = end?.kind === 'paid' ? end : { dollars: 0n, fee: 0n }
      if (BigInt(payout.dollars) !== released.dollars || BigInt(payout.dollar_fee) !== released.fee)
        problems.push(`the payout of ${payoutId} is stored with other dollars than it was paid with`)
    }
  }
  return problems
}
