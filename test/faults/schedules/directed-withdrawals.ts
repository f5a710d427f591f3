import { encodeFunctionData, formatEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bondingCurve } from '../../../server/money/chain/generated/contracts.ts'
import type { Environment } from '../support/environment.ts'
import { finalityBlocks, inBaseUnits } from '../support/oracle/expected.ts'
import { byHand, type Directed, mempoolHas, until } from './helpers.ts'
import {
  agentsKnowOfLoss,
  agentsRead,
  agentsReadAgain,
  expireAll,
  finalise,
  offerFirst,
  ownTransactionIs,
  relayFromOutside,
  repeatAll,
  staysQueuedBecause,
  takeOut,
  withdrawalsAreSettled,
  withdrawalsAreStored,
} from './withdrawing.ts'

/** What chain, strangers and processes can do to a withdrawal. */
export const ofWithdrawals: Directed[] = [
  relayedByOther('tokens'),
  {
    name: 'no key has gas for a withdrawal until it expires: failed when a final block is past its time, and not before',
    options: {
      ...byHand,
      slots: [[[{ step: 'intent stored', nth: 1, action: 'kill' }]]],
      // Restarted with a floor that the key's balance is below.
      settingsByLife: (): Record<string, string>[][] => [[{}, { LOW_GAS_PAYOUTS: '1000000' }]],
    },
    async act(scenario) {
      const { environment } = scenario
      const { address } = privateKeyToAccount(environment.fixture.operatorKeys[0]!)
      await environment.node.setBalance({ address, value: inBaseUnits(10) })
      takeOut(scenario, {})
      await staysQueuedBecause(environment, 'keeps its ETH for payouts')
      await expireAll(environment)
      await staysQueuedBecause(environment, 'has expired')
      await environment.node.mine({ blocks: Number(finalityBlocks) - 2 })
      await agentsReadAgain(environment, 8)
      await environment.node.mine({ blocks: 1 })
      await withdrawalsAreSettled(environment)
    },
  },
  {
    name: 'a reorganisation takes withdrawals that were reported confirmed: sent again, each made once',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      takeOut(scenario, { strict: false }, { holder: 0, as: 'eth', strict: false })
      await mempoolHas(environment, 2)
      await environment.node.mine({ blocks: 1 })
      await agentsRead(environment, 'confirmed')
      await environment.node.reorganise(1)
      await mempoolHas(environment, 2)
    },
  },
  {
    name: 'a sale reverts because the price fell, and somebody else relays it when the price is back: confirmed, never reported failed',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      const { curve } = environment.fixture.projects[1]!
      const tokens = 7
      const [quote] = await environment.node.readContract({
        abi: bondingCurve.abi,
        address: curve,
        functionName: 'quoteSell',
        args: [inBaseUnits(tokens)],
      })
      takeOut(scenario, { as: 'eth', tokens, minEth: formatEther(quote) })
      await mempoolHas(environment, 1)
      await trade(environment, 'sell')
      await ownTransactionIs(environment, 'reverted')
      await trade(environment, 'buy')
      await agentsReadAgain(environment, 3)
      await relayFromOutside(environment)
      await environment.node.mine({ blocks: 1 })
      await finalise(environment)
      await withdrawalsAreSettled(environment)
    },
  },
  {
    name: 'the database falls back behind withdrawals that were reported confirmed, and the agents repeat their keys: each response names the transaction, each made once',
    async act(scenario) {
      const { environment } = scenario
      takeOut(scenario, {}, { holder: 0, as: 'eth' })
      await agentsRead(environment, 'confirmed')
      await environment.fallBack()
      repeatAll(scenario)
      await agentsKnowOfLoss(environment)
    },
  },
  {
    name: 'connections are cut around the COMMITs of withdrawals: each made once',
    async act(scenario) {
      const { environment } = scenario
      for (const offset of [0, 1, 2, 3]) {
        environment.postgres.cutAtCommit('before', offset)
        environment.postgres.cutAtCommit('after', offset + 1)
        takeOut(scenario, { tokens: offset + 1, isTwice: true })
        await withdrawalsAreSettled(environment)
      }
    },
  },
  relayedByOther('eth'),
  {
    name: 'a reorganisation takes a withdrawal that was reported confirmed, and it expires meanwhile: failed, and a person is called',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      takeOut(scenario, { strict: false })
      await mempoolHas(environment, 1)
      await environment.node.mine({ blocks: 1 })
      await agentsRead(environment, 'confirmed')
      environment.rpc.arm({ on: 'send', after: 0, times: 1e6, fault: { kind: 'swallowed' } })
      await environment.node.reorganise(1)
      await until('it is sent again, in vain', async () => environment.rpc.hits() > 0)
      await expireAll(environment)
      environment.rpc.heal()
      await mempoolHas(environment, 1)
      await environment.node.mine({ blocks: 1 })
      await ownTransactionIs(environment, 'reverted')
      await finalise(environment)
      await withdrawalsAreSettled(environment)
    },
  },
  {
    name: 'the database falls back while a withdrawal waits in the mempool, and the agent repeats its key: made once, by either signature',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      takeOut(scenario, {})
      await mempoolHas(environment, 1)
      await environment.fallBack()
      await withdrawalsAreStored(environment)
      await environment.node.mine({ blocks: 1 })
      await finalise(environment)
      await withdrawalsAreSettled(environment)
    },
  },
]

function relayedByOther(as: 'tokens' | 'eth'): Directed {
  return {
    name: `somebody else relays a withdrawal as ${as} from the mempool first: confirmed with that transaction, made once`,
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      takeOut(scenario, { as })
      await mempoolHas(environment, 1)
      await relayFromOutside(environment)
      await environment.node.mine({ blocks: 1 })
      await ownTransactionIs(environment, 'reverted')
      await finalise(environment)
      await withdrawalsAreSettled(environment)
    },
  }
}

/** The second founder, who has bought tokens, sells some or buys them back, before everything else in the next block. */
async function trade(environment: Environment, direction: 'sell' | 'buy'): Promise<void> {
  const { node, fixture } = environment
  const { curve, walletKey, wallet } = fixture.projects[1]!
  const account = privateKeyToAccount(walletKey)
  const amount = inBaseUnits(1000)
  const deadline = 2n ** 63n
  const data =
    direction === 'sell'
      ? encodeFunctionData({
          abi: bondingCurve.abi,
          functionName: 'sell',
          args: [amount, 0n, wallet, deadline],
        })
      : encodeFunctionData({
          abi: bondingCurve.abi,
          functionName: 'buy',
          args: [amount, 2n ** 255n, wallet, deadline],
        })
  const value = direction === 'buy' ? inBaseUnits(100) : 0n
  environment.outside.add(await offerFirst(environment, account, { to: curve, data, value }))
  await node.mine({ blocks: 1 })
}
