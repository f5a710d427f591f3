import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { encodeFunctionData } from 'viem'
import { afterAll, expect, test } from 'vitest'
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

const { rpcUrl, node } = await startOwnChain()
const market = await createTestMarket({ rpcUrl, proxied: true, followMs: 20, logsSettleSeconds: 1200 })
const { chain, chainProxy } = market
const { follower, caughtUp, followed, pay } = chainLogOf(market)

/** Blocks of each reading of a range of logs. */
const asked: [number, number][] = []

/** From now on the node lists the logs of so many blocks at a time. */
function allow(blocks: number) {
  chainProxy.refuse(({ method, params }) => {
    const { fromBlock, toBlock } = (method === 'eth_getLogs' ? params[0] : {}) as Record<string, string>
    if (fromBlock === undefined) return undefined
    asked.push([Number(fromBlock), Number(toBlock)])
    return Number(toBlock) - Number(fromBlock) >= blocks
      ? `eth_getLogs is limited to a ${blocks} range`
      : undefined
  })
}

test('a node that lists five blocks of logs at a time is read block for block twice, and nothing is missed', async () => {
  const operator = await chain.fundedAccount()
  const args = [operator.address, true] as const
  const data = encodeFunctionData({ abi: platformWallet.abi, functionName: 'setOperator', args })
  await chain.send(chain.owner, { to: chain.platformWallet, data })
  const bounty = await market.bountyInReview()
  const { project } = bounty
  await node.mine({ blocks: 100, interval: 2 })
  allow(5)
  await caughtUp()
  asked.length = 0
  const first = Number(await node.getBlockNumber()) + 1
  await chain.buy(await chain.fundedAccount(), project.curve_address, 3n * tokenUnit)
  const payoutId = payoutIdOf(31_337, 'bnt_that_nobody_has_offered')
  const [token, from] = [project.token_address, project.founder.wallet_address] as Hex[]
  const to = bounty.claimant.wallet_address as Hex
  await pay(operator, [payoutId, token!, from!, to, tokenUnit, 0n])
  await until(() => unknown.has(payoutId))
  await followed(project.curve_address, 1)
  for (let round = 0; round < 20; round++) {
    await node.mine({ blocks: 5, interval: 2 })
    await caughtUp()
  }
  // What is final and settled comes once more before the cursor passes it.
  const last = Number(await node.getBlockNumber())
  await node.mine({ blocks: 64, interval: 30 })
  await caughtUp()
  await until(async () => {
    await node.mine({ blocks: 1, interval: 30 })
    return (await follower()).block_number > first
  })
  const readings = (block: number) => asked.filter(([from, to]) => from <= block && block <= to).length
  const counts = Array.from({ length: last - first }, (_, index) => readings(first + index))
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeLessThan(2.5)
  const { rows } = { rows: await market.db.selectFrom('payments').select('payout_id').execute() }
  expect(rows).toEqual([{ payout_id: payoutId }])
})

test('a reorganisation replaces what is stored of new blocks, though not all are read at each tick', async () => {
  const bounty = await market.activeProject()
  const buyer = await chain.fundedAccount()
  await chain.buy(buyer, bounty.curve_address, 3n * tokenUnit)
  await followed(bounty.curve_address, 1)
  await caughtUp()
  await chain.reorganise(1)
  await followed(bounty.curve_address, 0)
})
