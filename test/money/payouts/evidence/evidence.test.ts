import { type Address, encodeAbiParameters, encodeEventTopics, type Hex, type Log, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { platformWallet, projectToken } from '../../../../server/money/chain/generated/contracts.ts'
import { noDollars } from '../../../../server/money/payouts/dollars.ts'
import { paymentIn, payoutAnomaly } from '../../../../server/money/payouts/evidence/evidence.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as Address
const treasury = address('f')
const payout = {
  payoutId: `0x${'1'.repeat(64)}` as Hex,
  platformWallet: address('a'),
  token: address('b'),
  from: address('c'),
  to: address('d'),
  amount: 95n,
  fee: 5n,
  ...noDollars,
}
const transactionHash = `0x${'2'.repeat(64)}` as Hex

function log(at: Address, topics: readonly unknown[], data: Hex): Log<bigint, number, false> {
  return {
    address: at,
    topics: topics as [Hex],
    data,
    transactionHash,
    blockNumber: 7n,
    blockHash: transactionHash,
    logIndex: 0,
    transactionIndex: 0,
    removed: false,
  }
}

function paid(changes: Partial<typeof payout> = {}) {
  const { payoutId, token, from, to, amount, fee, platformWallet: at } = { ...payout, ...changes }
  const topics = encodeEventTopics({
    abi: platformWallet.abi,
    eventName: 'Paid',
    args: { payoutId, token, from },
  })
  const data = encodeAbiParameters(
    [{ type: 'address' }, { type: 'uint256' }, { type: 'uint256' }],
    [to, amount, fee],
  )
  return log(at, topics, data)
}

function transfer(from: Address, to: Address, amount: bigint, token = payout.token) {
  const topics = encodeEventTopics({ abi: projectToken.abi, eventName: 'Transfer', args: { from, to } })
  return log(token, topics, pad(`0x${amount.toString(16)}` as Hex))
}

const net = transfer(payout.from, payout.to, 95n)
const fee = transfer(payout.from, treasury, 5n)

describe('payoutAnomaly', () => {
  test('undefined for one Paid event and one transfer a leg', () => {
    expect(payoutAnomaly(payout, treasury, [net, fee, paid()])).toBeUndefined()
  })

  test('undefined without a fee and without its transfer', () => {
    const free = { ...payout, fee: 0n }
    expect(payoutAnomaly(free, treasury, [net, paid({ fee: 0n })])).toBeUndefined()
  })

  test('undefined although other contracts have emitted the same events', () => {
    const foreign = [
      transfer(payout.from, payout.to, 1n, address('e')),
      paid({ platformWallet: address('e') }),
    ]
    expect(payoutAnomaly(payout, treasury, [net, fee, paid(), ...foreign])).toBeUndefined()
  })

  test.each([
    ['there is none', []],
    ['there are two', [paid(), paid()]],
    ['the platform wallet is another', [paid({ platformWallet: address('e') })]],
    ['the payout id is another', [paid({ payoutId: transactionHash })]],
    ['the token is another', [paid({ token: address('e') })]],
    ['the payer is another', [paid({ from: address('e') })]],
    ['the recipient is another', [paid({ to: address('e') })]],
    ['the amount is another', [paid({ amount: 94n })]],
    ['the fee is another', [paid({ fee: 6n })]],
  ])('an anomaly of the Paid event: %s', (_, events) => {
    expect(payoutAnomaly(payout, treasury, [net, fee, ...events])).toMatch('exactly the Paid event')
  })

  test.each([
    ['there is none', []],
    ['the fee is missing', [net]],
    ['there is a third', [net, fee, fee]],
    ['the recipient is another', [transfer(payout.from, address('e'), 95n), fee]],
    ['the payer is another', [transfer(address('e'), payout.to, 95n), fee]],
    ['the amount is another', [transfer(payout.from, payout.to, 94n), fee]],
    ['the fee goes elsewhere', [net, transfer(payout.from, address('e'), 5n)]],
  ])('an anomaly of the transfers: %s', (_, transfers) => {
    expect(payoutAnomaly(payout, treasury, [...transfers, paid()])).toMatch('exactly the transfers')
  })
})

describe('payoutAnomaly with dollars', () => {
  const coin = address('9')
  const locked = { ...payout, dollars: 20n, dollarFee: 1n, dollarAddress: coin }
  const moved = transfer(payout.platformWallet, payout.to, 19n, coin)
  function released(
    changes: { payoutId?: Hex; to?: Address; dollars?: bigint; fee?: bigint; at?: Address } = {},
  ) {
    const { payoutId, to, dollars, fee, at } = {
      payoutId: payout.payoutId,
      to: payout.to,
      dollars: 20n,
      fee: 1n,
      at: payout.platformWallet,
      ...changes,
    }
    const topics = encodeEventTopics({
      abi: platformWallet.abi,
      eventName: 'Released',
      args: { payoutId, to },
    })
    return log(at, topics, encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [dollars, fee]))
  }
  const tokens = [net, fee, paid()]

  test('undefined for one Released event and one transfer of the coin beside the tokens', () => {
    expect(payoutAnomaly(locked, treasury, [...tokens, released(), moved])).toBeUndefined()
  })

  test.each([
    ['there is none', []],
    ['there are two', [released(), released()]],
    ['the platform wallet is another', [released({ at: address('e') })]],
    ['the payout id is another', [released({ payoutId: transactionHash })]],
    ['the recipient is another', [released({ to: address('e') })]],
    ['the amount is another', [released({ dollars: 21n })]],
    ['the fee is another', [released({ fee: 2n })]],
  ])('an anomaly of the Released event: %s', (_, events) => {
    expect(payoutAnomaly(locked, treasury, [...tokens, ...events, moved])).toMatch(
      'exactly the Released event',
    )
  })

  test.each([
    ['there is none', []],
    ['there are two', [moved, moved]],
    ['the recipient is another', [transfer(payout.platformWallet, address('e'), 19n, coin)]],
    ['the payer is another', [transfer(payout.from, payout.to, 19n, coin)]],
    ['the amount is another', [transfer(payout.platformWallet, payout.to, 20n, coin)]],
  ])('an anomaly of the transfers of the coin: %s', (_, transfers) => {
    const logs = [...tokens, released(), ...transfers]
    expect(payoutAnomaly(locked, treasury, logs)).toMatch('exactly the transfers')
  })

  test('an anomaly of dollars that were released though none were signed for', () => {
    expect(payoutAnomaly(payout, treasury, [...tokens, released(), moved])).toMatch(
      'exactly the Released event',
    )
  })
})

describe('paymentIn', () => {
  test('the payment under the payout id, with its block', () => {
    const other = paid({ payoutId: transactionHash })
    expect(paymentIn(payout, [other, paid()])).toEqual({ hash: transactionHash, blockNumber: 7, exact: true })
  })

  test('a payment to another wallet is not exact', () => {
    expect(paymentIn(payout, [paid({ to: address('e') })])).toMatchObject({ exact: false })
  })

  test('undefined for other payout ids and other platform wallets', () => {
    const logs = [paid({ payoutId: transactionHash }), paid({ platformWallet: address('e') })]
    expect(paymentIn(payout, logs)).toBeUndefined()
  })
})
