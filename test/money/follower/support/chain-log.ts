import { type Account, encodeFunctionData, type Hex } from 'viem'
import { bondingCurve, platformWallet } from '../../../../server/money/chain/generated/contracts.ts'
import type { TestMarket } from '../../../support/market.ts'
import { until } from '../../../support/until.ts'

/** Blocks that tests keep above the cursor. */
export const finalityBlocks = 8

/** What a market's follower has stored, and what its chain shows. */
export function chainLogOf({ db, chain }: TestMarket) {
  const { node } = chain

  /** The stored trades on a curve, oldest first, in the form of {@link tradesOnChain}. */
  async function storedTrades(curve: string) {
    const rows = await db
      .selectFrom('trades')
      .where('curve', '=', curve.toLowerCase())
      .orderBy('block_number')
      .orderBy('log_index')
      .selectAll()
      .execute()
    return rows.map(({ side, trader, amount, eth, fee, sold, tx_hash, block_hash, log_index }) =>
      [side, trader, amount, eth, fee, sold, tx_hash, block_hash, log_index].join(' '),
    )
  }

  /** The trades on a curve that the chain shows, oldest first. */
  async function tradesOnChain(curve: string) {
    const logs = await node.getContractEvents({
      abi: bondingCurve.abi,
      address: curve as Hex,
      fromBlock: 0n,
      strict: true,
    })
    return logs.flatMap((log) => {
      const place = [log.transactionHash, log.blockHash, log.logIndex]
      if (log.eventName === 'Bought') {
        const { buyer, amount, ethIn, fee, sold } = log.args
        return [['buy', buyer.toLowerCase(), amount, ethIn, fee, sold, ...place].join(' ')]
      }
      if (log.eventName !== 'Sold') return []
      const { seller, amount, ethOut, fee, sold } = log.args
      return [['sell', seller.toLowerCase(), amount, ethOut, fee, sold, ...place].join(' ')]
    })
  }

  /** Waits until a curve's stored trades are those of the chain, which are `count`. */
  async function followed(curve: string, count: number): Promise<void> {
    await until(async () => {
      const stored = await storedTrades(curve)
      const shown = await tradesOnChain(curve)
      return shown.length === count && JSON.stringify(stored) === JSON.stringify(shown)
    })
  }

  async function follower() {
    const row = await db.selectFrom('followers').selectAll().executeTakeFirstOrThrow()
    return { ...row, block_number: row.block_number ?? -1 }
  }

  /** Waits until the logs up to the present head are stored. */
  async function caughtUp(): Promise<void> {
    const head = Number(await node.getBlockNumber())
    await until(async () => ((await follower()).head_block ?? -1) >= head)
  }

  return {
    storedTrades,
    tradesOnChain,
    followed,
    follower,
    caughtUp,
    sell(account: Account, curve: string, amount: bigint): Promise<Hex> {
      const args = [amount, 0n, account.address, 2n ** 63n] as const
      const data = encodeFunctionData({ abi: bondingCurve.abi, functionName: 'sell', args })
      return chain.send(account, { to: curve as Hex, data })
    },
    /** Pays with the operator key `account` behind the service's back. */
    pay(account: Account, args: readonly [Hex, Hex, Hex, Hex, bigint, bigint]): Promise<Hex> {
      const data = encodeFunctionData({ abi: platformWallet.abi, functionName: 'pay', args })
      return chain.send(account, { to: chain.platformWallet, data })
    },
  }
}
