import fc from 'fast-check'
import { type Address, keccak256, toHex, walletActions, zeroHash } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ContractParameters, deployContracts } from '../../server/chain/deploy/deploy.ts'
import { bondingCurve, projectFactory } from '../../server/chain/generated/contracts.ts'
import { createTestChain, type TestChain } from '../support/chain.ts'
import { receiptOf } from '../support/receipt.ts'

// Compares the deployed bytecode with a model on JavaScript's integers. Each case overrides the curve's one word of storage
// with its own supply and sold amount, for one call.

const abi = bondingCurve.abi
const wei = (ether: number) => BigInt(Math.round(ether * 1e6)) * 10n ** 12n

const kinds: Record<
  string,
  Pick<ContractParameters, 'bountyReserveBps' | 'curveFeeBps' | 'startFdv' | 'endFdv'>
> = {
  'the default': { bountyReserveBps: 1000, curveFeeBps: 100, startFdv: wei(1), endFdv: wei(100) },
  'the steepest': { bountyReserveBps: 5000, curveFeeBps: 1000, startFdv: 10n ** 15n, endFdv: 10n ** 27n },
  'flat, without fee or reserve': { bountyReserveBps: 0, curveFeeBps: 0, startFdv: wei(3), endFdv: wei(3) },
}

const ceil = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / denominator

/** One point of a curve: base units. */
interface Point {
  supply: bigint
  forSale: bigint
  sold: bigint
  amount: bigint
}

function model(kind: (typeof kinds)[string], { supply, forSale, sold, amount }: Point) {
  // Twice the integral of (start + (end - start) * x / forSale) / supply, over one denominator.
  const area = (x: bigint) => 2n * kind.startFdv * forSale * x + (kind.endFdv - kind.startFdv) * x * x
  const denominator = 2n * forSale * supply
  const fee = (value: bigint) => ceil(value * BigInt(kind.curveFeeBps), 10_000n)
  const cost = ceil(area(sold + amount) - area(sold), denominator)
  const value = (area(sold + amount) - area(sold)) / denominator
  const slope = kind.startFdv * forSale + (kind.endFdv - kind.startFdv) * sold
  return {
    buy: [cost + fee(cost), fee(cost)],
    sell: [value - fee(value), fee(value)],
    price: (slope * 10n ** 18n) / (forSale * supply),
  }
}

function points(reserveBps: number): fc.Arbitrary<Point> {
  const unit = 10n ** 18n
  // Every order of magnitude is equally likely.
  const share = fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 100n - 1n }), fc.integer({ min: 0, max: 100 }))
  const part = ([x, shift]: [bigint, number], whole: bigint) => (x >> BigInt(shift)) % (whole + 1n)
  const tokens = fc.oneof(
    fc.constantFrom(1n, 2n, 10n ** 6n, 10n ** 12n),
    fc.bigInt({ min: 1n, max: 10n ** 12n }),
  )
  return fc.tuple(tokens, share, share).map(([whole, soldShare, amountShare]) => {
    const supply = whole * unit
    const forSale = supply - (supply * BigInt(reserveBps)) / 10_000n
    const sold = part(soldShare, forSale - 1n)
    const amount = 1n + part(amountShare, forSale - sold - 1n)
    return { supply, forSale, sold, amount }
  })
}

describe.each(Object.keys(kinds))('%s curve', (name) => {
  const kind = kinds[name]!
  let chain: TestChain
  let address: Address

  beforeAll(async () => {
    chain = await createTestChain()
    const deployer = await chain.fundedAccount()
    const { projectFactory: factory } = await deployContracts({
      ...kind,
      rpcUrl: chain.rpcUrl,
      deployerPrivateKey: deployer.privateKey,
      operators: [],
    })
    const call = { address: factory, abi: projectFactory.abi } as const
    const key = keccak256(toHex(name))
    const args = [key, 'Project', 'PRJ', 10n ** 18n, chain.owner.address] as const
    const { request } = await chain.node.simulateContract({
      ...call,
      account: deployer,
      functionName: 'create',
      args,
    })
    const hash = await chain.node.extend(walletActions).writeContract(request)
    await receiptOf(chain.node, hash)
    const predict = { ...call, functionName: 'predict', args: [deployer.address, key] } as const
    address = (await chain.node.readContract(predict))[1]
  })

  const at = (supply: bigint, sold: bigint) => {
    const word = toHex((supply / 10n ** 18n) | (sold << 40n), { size: 32 })
    return { address, abi, stateOverride: [{ address, stateDiff: [{ slot: zeroHash, value: word }] }] }
  }

  test('has its state in the overridden word', async () => {
    const curve = at(5n * 10n ** 18n, 3n)
    expect(await chain.node.readContract({ ...curve, functionName: 'sold' })).toBe(3n)
    const forSale = 5n * 10n ** 18n - (5n * 10n ** 18n * BigInt(kind.bountyReserveBps)) / 10_000n
    expect(await chain.node.readContract({ ...curve, functionName: 'forSale' })).toBe(forSale)
  })

  test('quotes and price equal the model’s to the wei', async () => {
    await fc.assert(
      fc.asyncProperty(points(kind.bountyReserveBps), async (point) => {
        const expected = model(kind, point)
        const before = at(point.supply, point.sold)
        const after = at(point.supply, point.sold + point.amount)
        const args = [point.amount] as const
        const [buy, sell, price] = await Promise.all([
          chain.node.readContract({ ...before, functionName: 'quoteBuy', args }),
          chain.node.readContract({ ...after, functionName: 'quoteSell', args }).catch(() => 'refused'),
          chain.node.readContract({ ...before, functionName: 'price' }),
        ])
        expect(buy).toEqual(expected.buy)
        expect(sell).toEqual(expected.sell[0] === 0n ? 'refused' : expected.sell)
        expect(price).toBe(expected.price)
      }),
      { numRuns: 200, seed: 1 },
    )
  })
})
