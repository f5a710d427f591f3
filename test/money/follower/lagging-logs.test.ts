import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { encodeFunctionData } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import { type Alarm, alarmChannel } from '../../../server/loops/alarms.ts'
import { platformWallet } from '../../../server/money/chain/generated/contracts.ts'
import { payoutIdOf } from '../../../server/money/chain/on-chain-ids.ts'
import { tokenUnit } from '../../../server/money/chain/units.ts'
import { createTestMarket } from '../../support/market.ts'
import { startOwnChain } from '../../support/own-chain.ts'
import { until } from '../../support/until.ts'
import { chainLogOf } from './support/chain-log.ts'

type Hex = `0x${string}`

const unknown = new Set<string | null | undefined>()
const note = (alarm: unknown) => {
  const { kind, entityId } = alarm as Alarm
  if (kind === 'payment_unknown') unknown.add(entityId)
}
subscribe(alarmChannel, note)
afterAll(() => void unsubscribe(alarmChannel, note))

/** Blocks that the lying backend is behind. */
const behind = 80

describe.each([
  { blockMs: 250, tied: true },
  { blockMs: 250, tied: false },
  { blockMs: 2000, tied: true },
  { blockMs: 2000, tied: false },
  { blockMs: 12_000, tied: true },
  { blockMs: 12_000, tied: false },
])('with a block every $blockMs ms', ({ blockMs, tied }) => {
  const backend = tied ? 'behind a balancer that keeps to it' : 'while another one knows the newest block'

  test(`a backend that is ${behind} blocks behind and lists no newer logs, ${backend}, hides nothing for longer than it is behind`, async () => {
    const { rpcUrl, node, stop } = await startOwnChain()
    const market = await createTestMarket({ rpcUrl, proxied: true, followMs: 20, logsSettleSeconds: 1200 })
    const { chain, chainProxy, db } = market
    const { follower, caughtUp, followed, pay } = chainLogOf(market)
    const operator = await chain.fundedAccount()
    const args = [operator.address, true] as const
    const setOperator = encodeFunctionData({ abi: platformWallet.abi, functionName: 'setOperator', args })
    await chain.send(chain.owner, { to: chain.platformWallet, data: setOperator })
    const bounty = await market.bountyInReview()
    const { project } = bounty
    const seconds = Math.ceil(blockMs / 1000)
    /** Mines blocks at the pace of the chain, by their timestamps. */
    const mine = async (blocks: number) => {
      const perSecond = Math.max(1, 1000 / blockMs)
      for (let mined = 0; mined < blocks; mined += perSecond) {
        await node.mine({ blocks: 1, interval: seconds })
        if (perSecond > 1) await node.mine({ blocks: perSecond - 1, interval: 0 })
      }
    }
    await node.increaseTime({ seconds: 3600 })
    await mine(behind)
    await caughtUp()
    const known = Number(await node.getBlockNumber())
    let readings = 0
    const isByHash = ([filter]: unknown[]) => 'blockHash' in (filter as object)
    chainProxy.refuse(({ method, params }) =>
      tied && method === 'eth_getLogs' && isByHash(params) ? 'unknown block' : undefined,
    )
    chainProxy.alter(({ method, params }, result) => {
      if (method !== 'eth_getLogs' || isByHash(params)) return result
      readings++
      return (result as { blockNumber: Hex }[]).filter(({ blockNumber }) => Number(blockNumber) <= known)
    })

    await chain.buy(await chain.fundedAccount(), project.curve_address, 3n * tokenUnit)
    const payoutId = payoutIdOf(31_337, 'bnt_that_nobody_has_offered')
    const [token, from] = [project.token_address, project.founder.wallet_address] as Hex[]
    const hash = await pay(operator, [
      payoutId,
      token!,
      from!,
      bounty.claimant.wallet_address as Hex,
      tokenUnit,
      0n,
    ])
    const { blockNumber } = await node.getTransactionReceipt({ hash })
    await until(async () => {
      await node.mine({ blocks: 1, interval: 0 })
      return readings > 2
    })
    const caughtUpAt = (await follower()).caught_up_at
    await mine(behind)
    const seen = readings
    await until(async () => {
      await node.mine({ blocks: 1, interval: 0 })
      return readings > seen + 3
    })
    expect(unknown).not.toContain(payoutId)
    const lying = await follower()
    expect(lying.block_number).toBeLessThan(Number(blockNumber))
    // The lag is told as it is where a node says that it does not know the newest block.
    if (tied) expect(lying.caught_up_at).toEqual(caughtUpAt)

    chainProxy.refuse()
    chainProxy.alter()
    await node.mine({ blocks: 1 })
    await until(() => unknown.has(payoutId))
    await followed(project.curve_address, 1)
    expect(await db.selectFrom('payments').select('payout_id').execute()).toEqual([{ payout_id: payoutId }])

    await node.increaseTime({ seconds: 3600 })
    await mine(behind)
    await until(async () => (await follower()).block_number > Number(blockNumber))
    unknown.delete(payoutId)
    await market.close()
    await stop()
  })
})
