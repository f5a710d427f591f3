import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  approveAll,
  askToApprove,
  asOperator,
  byHand,
  type Directed,
  mempoolHas,
  minePause,
  payoutIs,
  steal,
  until,
} from './helpers.ts'

const first = 0

/** What chain and operator keys can do to a payout. */
export const onChain: Directed[] = [
  {
    name: 'a reorganisation turns a revert into a payment while a second transaction has paid: paid once',
    staging: byHand,
    async act(scene) {
      const { stage } = scene
      const asked = askToApprove(scene, first)
      await mempoolHas(stage, 1)
      await minePause(stage)
      await payoutIs(stage, first, 'failed')
      await asked
      await minePause(stage, false)
      approveAll(scene, [first], false)
      await mempoolHas(stage, 1)
      await stage.node.mine({ blocks: 1 })
      await payoutIs(stage, first, 'settled')
      // Pause, revert, end of the pause and payment, all gone.
      await stage.node.reorganise(3)
      await mempoolHas(stage, 2)
    },
  },
  {
    name: 'a reorganisation takes a payment that then reverts: a person is called, and pays once',
    staging: byHand,
    async act(scene) {
      const { stage } = scene
      approveAll(scene, [first], false)
      await mempoolHas(stage, 1)
      await stage.node.mine({ blocks: 1 })
      await payoutIs(stage, first, 'settled')
      await stage.node.reorganise(1)
      await mempoolHas(stage, 1)
      await minePause(stage)
      await payoutIs(stage, first, 'needs_operator')
      await minePause(stage, false)
      const { done, explanation } = await asOperator(stage, stage.ground.submissions[first]!.id)
      if (!done) stage.violations.push(`the operator was refused: ${explanation}`)
    },
  },
  {
    name: 'a payout reverts in a block that the chain takes back: never reported failed, paid once',
    staging: { ...byHand, confirmations: 2 },
    async act(scene) {
      const { stage } = scene
      approveAll(scene, [first])
      await mempoolHas(stage, 1)
      await minePause(stage)
      await until('the revert is seen', async () => {
        const query = stage.db
          .selectFrom('transactions')
          .select('id')
          .where('status', 'in', ['mined', 'reverted'])
        return (await query.where('purpose', '=', 'payout').executeTakeFirst()) !== undefined
      })
      await stage.node.reorganise(1)
      await mempoolHas(stage, 1)
      const { rows } = await sql`select from test_history where edge = 'running>failed'`.execute(stage.db)
      if (rows.length > 0) stage.violations.push('a revert counted before it was confirmed')
    },
  },
  {
    name: 'a reorganisation takes a payment and brings another attempt of it: the hash is corrected',
    staging: byHand,
    async act(scene) {
      const { stage } = scene
      stage.rpc.arm(underpriced)
      approveAll(scene, [first], false)
      await attemptsAre(scene, 2)
      stage.rpc.heal()
      await mempoolHas(stage, 1)
      await stage.node.mine({ blocks: 1 })
      await payoutIs(stage, first, 'settled')
      await stage.node.reorganise(1)
      const { raw } = await stage.db
        .selectFrom('transaction_attempts')
        .innerJoin('transactions', 'transactions.id', 'transaction_id')
        .select('raw')
        .where('entity_id', '=', stage.ground.submissions[first]!.id)
        .orderBy('max_fee_per_gas')
        .executeTakeFirstOrThrow()
      await stage.node.dropAll()
      await stage.node.sendRawTransaction({ serializedTransaction: raw as `0x${string}` })
      await stage.node.mine({ blocks: 1 })
    },
  },
  {
    name: 'the original is mined although a replacement was made: paid once, by the original',
    staging: byHand,
    async act(scene) {
      const { stage } = scene
      approveAll(scene, [first])
      await mempoolHas(stage, 1)
      stage.rpc.arm(underpriced)
      await attemptsAre(scene, 2)
      await stage.node.mine({ blocks: 1 })
      await payoutIs(stage, first, 'settled')
    },
  },
  {
    name: 'the base fee rises twentyfold: replaced until it is mined',
    staging: byHand,
    async act(scene) {
      const { stage } = scene
      approveAll(scene, [first])
      await mempoolHas(stage, 1)
      const { baseFeePerGas } = await stage.node.getBlock()
      await stage.node.setBaseFee((baseFeePerGas ?? 10n ** 9n) * 20n)
      await stage.node.mine({ blocks: 1 })
      await attemptsAre(scene, 2)
    },
  },
  {
    name: 'somebody else uses the nonce: no second payment by itself, one by a person',
    staging: byHand,
    async act(scene) {
      const { stage } = scene
      approveAll(scene, [first])
      await mempoolHas(stage, 1)
      await steal(stage)
      await payoutIs(stage, first, 'needs_operator')
      const answer = await askToApprove(scene, first)
      const code = answer.body?.error?.code
      if (code !== 'payout_unconfirmed' && code !== 'approval_in_progress')
        stage.violations.push(`what is not known to have failed was answered ${code}`)
      const { done, explanation } = await asOperator(stage, stage.ground.submissions[first]!.id)
      if (!done) stage.violations.push(`the operator was refused: ${explanation}`)
    },
  },
  {
    name: 'the receipt is not to be had for long: a person is called, and it heals by itself',
    async act(scene) {
      const { stage } = scene
      stage.rpc.arm({ on: 'receipt', after: 0, times: 1e6, fault: { kind: 'no receipt' } })
      approveAll(scene, [first])
      await payoutIs(stage, first, 'needs_operator')
      const { done } = await asOperator(stage, stage.ground.submissions[first]!.id)
      if (done) stage.violations.push('the operator was allowed to pay again what is mined')
      stage.rpc.heal()
      await payoutIs(stage, first, 'settled')
    },
  },
  {
    name: 'a receipt comes without its logs: a person is called, and it heals when the node is honest',
    async act(scene) {
      const { stage } = scene
      stage.rpc.arm({ on: 'receipt', after: 0, times: 1e6, fault: { kind: 'no logs' } })
      approveAll(scene, [first])
      await payoutIs(stage, first, 'needs_operator')
      stage.rpc.heal()
      await payoutIs(stage, first, 'settled')
    },
  },
  {
    name: 'a reorganisation leaves a nonce gap: filled, and the payout behind it is paid',
    staging: byHand,
    async act(scene) {
      const { stage } = scene
      await steal(stage)
      approveAll(scene, [first], false)
      await mempoolHas(stage, 1)
      await stage.node.mine({ blocks: 1 })
      await payoutIs(stage, first, 'settled')
      await stage.node.reorganise(2)
      await mempoolHas(stage, 2)
    },
  },
  {
    name: 'somebody else uses the nonce of a gap filler: nobody is called',
    staging: byHand,
    async act(scene) {
      const { stage } = scene
      const nonce = await steal(stage)
      approveAll(scene, [first], false)
      await mempoolHas(stage, 1)
      await stage.node.mine({ blocks: 1 })
      await payoutIs(stage, first, 'settled')
      await stage.node.reorganise(2)
      await mempoolHas(stage, 2)
      await steal(stage, nonce)
      await until('the gap filler is abandoned', async () => {
        const rows = await stage.db
          .selectFrom('transactions')
          .select('id')
          .where('purpose', '=', 'noop')
          .where('status', '=', 'abandoned')
          .execute()
        return rows.length === 1
      })
    },
  },
  {
    name: 'a key without gas balance leaves payouts queued: paid once it is funded',
    async act(scene) {
      const { stage } = scene
      const { address } = privateKeyToAccount(stage.ground.operatorKeys[0]!)
      await stage.node.setBalance({ address, value: 0n })
      approveAll(scene, [0, 1, 2])
      await until('the queue says why', async () => {
        const rows = await stage.db
          .selectFrom('transactions')
          .select('error')
          .where('status', '=', 'queued')
          .execute()
        return rows.length === 3 && rows.every(({ error }) => error?.includes('ETH'))
      })
      await stage.node.setBalance({ address, value: parseEther('10') })
    },
  },
  {
    name: 'two payouts between the same two in one block: both paid',
    staging: byHand,
    async act(scene) {
      const { stage } = scene
      approveAll(scene, [0, 1])
      await mempoolHas(stage, 2)
      await stage.node.mine({ blocks: 1 })
      await payoutIs(stage, 0, 'settled')
      await payoutIs(stage, 1, 'settled')
    },
  },
  {
    name: 'no block for a while: no fees are raised, and paid when blocks come again',
    staging: byHand,
    async act(scene) {
      const { stage } = scene
      approveAll(scene, [first])
      await mempoolHas(stage, 1)
      // Longer than the age at which fees are raised.
      await delay(1800)
      await attemptsAre(scene, 1)
    },
  },
]

const underpriced = {
  on: 'send',
  after: 0,
  times: 1e6,
  fault: { kind: 'wording', wording: 'underpriced', node: 'geth', accepted: false },
} as const

function attemptsAre({ stage }: Parameters<Directed['act']>[0], wanted: number): Promise<void> {
  return until(`${wanted} attempts`, async () => {
    const rows = await stage.db
      .selectFrom('transaction_attempts')
      .innerJoin('transactions', 'transactions.id', 'transaction_id')
      .select('hash')
      .where('entity_id', '=', stage.ground.submissions[first]!.id)
      .execute()
    return rows.length >= wanted
  })
}
