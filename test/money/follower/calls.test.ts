import { pino } from 'pino'
import { expect, test } from 'vitest'
import { chainAddress } from '../../../server/money/chain/address.ts'
import type { FollowContext } from '../../../server/money/follower/context.ts'
import { follow } from '../../../server/money/follower/follow.ts'
import { acquireFollower, openFollower } from '../../../server/money/follower/store.ts'
import { createTestMarket } from '../../support/market.ts'

test('a new block costs the follower three calls to the node, and none but the first where there is no new block', async () => {
  const { db, chain, chainProxy, services } = await createTestMarket({ proxied: true, engines: false })
  const context: FollowContext = {
    db,
    chain: services.chain.require(),
    finality: { confirmations: 5, tag: null, finalityBlocks: 64 },
    settleSeconds: 1200,
    alarm: () => undefined,
    log: pino({ enabled: false }),
    memory: {},
  }
  await openFollower(db, context.chain.id, chainAddress(chain.platformWallet))
  const asked: string[] = []
  chainProxy.alter(({ method }, result) => {
    asked.push(method)
    return result
  })
  const tick = async () => {
    asked.length = 0
    const lease = await acquireFollower(db, { chainId: context.chain.id, owner: 'test', seconds: 60 })
    await follow(context, lease!)
    return [...asked]
  }
  await tick()
  await chain.node.mine({ blocks: 1 })
  expect(await tick()).toEqual(['eth_getBlockByNumber', 'eth_getLogs', 'eth_getLogs'])
  expect(await tick()).toEqual(['eth_getBlockByNumber'])
})
