import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { bytesToHex, type Hex, parseEther } from 'viem'
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
  payoutNamesMined,
  spendNonceOutside,
  until,
} from './helpers.ts'
import type { Scenario } from './run.ts'

const first = 0

/** A payout reverts, a second transaction pays it, and the chain takes both back with the cause of the revert. */
async function bringBackRevertAndPayment(scenario: Scenario): Promise<void> {
  const { environment } = scenario
  const asked = askToApprove(scenario, first)
  await mempoolHas(environment, 1)
  await minePause(environment)
  await payoutIs(environment, first, 'failed')
  await asked
  await minePause(environment, false)
  approveAll(scenario, [first], false)
  await mempoolHas(environment, 1)
  await environment.node.mine({ blocks: 1 })
  await payoutIs(environment, first, 'settled')
  // Pause, revert, end of the pause and payment, all gone.
  await environment.node.reorganise(3)
  await mempoolHas(environment, 2)
}

/** What chain and operator keys can do to a payout. */
export const onChain: Directed[] = [
  {
    name: 'a reorganisation turns a revert into a payment while a second transaction has paid: paid once',
    options: byHand,
    act: bringBackRevertAndPayment,
  },
  {
    name: 'a reorganisation brings a revert again and leaves a second transaction on its way: nobody is called, paid once',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      await bringBackRevertAndPayment(scenario)
      const attempts = await environment.db
        .selectFrom('transaction_attempts as a')
        .innerJoin('transactions as t', 't.id', 'a.transaction_id')
        .select(['t.id', 'a.hash'])
        .where('t.purpose', '=', 'payout')
        .orderBy('t.nonce')
        .execute()
      const reverts = attempts[0]!.id
      for (const { id, hash } of attempts)
        if (id !== reverts)
          await environment.node.dropTransaction({ hash: hash as Hex }).catch(() => undefined)
      await minePause(environment)
      await until('the first transaction has reverted again', async () => {
        const query = environment.db.selectFrom('transactions').select('status').where('id', '=', reverts)
        return (await query.executeTakeFirstOrThrow()).status === 'reverted'
      })
      const { status } = await environment.db.selectFrom('payouts').select('status').executeTakeFirstOrThrow()
      if (status === 'needs_operator')
        environment.violations.push('a person is called while a payment is on its way')
      await minePause(environment, false)
      await mempoolHas(environment, 1)
    },
  },
  {
    name: 'a reorganisation takes a payment that then reverts: a person is called, and pays once',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      approveAll(scenario, [first], false)
      await mempoolHas(environment, 1)
      await environment.node.mine({ blocks: 1 })
      await payoutIs(environment, first, 'settled')
      await environment.node.reorganise(1)
      await mempoolHas(environment, 1)
      await minePause(environment)
      await payoutIs(environment, first, 'needs_operator')
      await minePause(environment, false)
      const { done, explanation } = await asOperator(environment, environment.fixture.submissions[first]!.id)
      if (!done) environment.violations.push(`the operator was refused: ${explanation}`)
    },
  },
  {
    name: 'a payout reverts in a block that the chain takes back: never reported failed, paid once',
    options: { ...byHand, confirmations: 2 },
    async act(scenario) {
      const { environment } = scenario
      approveAll(scenario, [first])
      await mempoolHas(environment, 1)
      await minePause(environment)
      await until('the revert is seen', async () => {
        const query = environment.db
          .selectFrom('transactions')
          .select('id')
          .where('status', 'in', ['mined', 'reverted'])
        return (await query.where('purpose', '=', 'payout').executeTakeFirst()) !== undefined
      })
      await environment.node.reorganise(1)
      await mempoolHas(environment, 1)
      const { rows } = await sql`select from test_history where edge = 'running>failed'`.execute(
        environment.db,
      )
      if (rows.length > 0) environment.violations.push('a revert counted before it was confirmed')
    },
  },
  {
    name: 'a reorganisation takes a payment and brings another attempt of it: the hash is corrected',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      environment.rpc.arm(underpriced)
      approveAll(scenario, [first], false)
      await attemptsAre(scenario, 2)
      environment.rpc.heal()
      await mempoolHas(environment, 1)
      await environment.node.mine({ blocks: 1 })
      await payoutIs(environment, first, 'settled')
      await environment.node.reorganise(1)
      const { raw } = await environment.db
        .selectFrom('transaction_attempts')
        .innerJoin('transactions', 'transactions.id', 'transaction_id')
        .select('raw')
        .where('entity_id', '=', environment.fixture.submissions[first]!.id)
        .orderBy('max_fee_per_gas')
        .executeTakeFirstOrThrow()
      await environment.node.dropAll()
      await environment.node.sendRawTransaction({ serializedTransaction: bytesToHex(raw) })
      await environment.node.mine({ blocks: 1 })
      // Until its next check of the chain the service names the hash that was taken back.
      await payoutNamesMined(environment, first)
    },
  },
  {
    name: 'the original is mined although a replacement was made: paid once, by the original',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      approveAll(scenario, [first])
      await mempoolHas(environment, 1)
      environment.rpc.arm(underpriced)
      await attemptsAre(scenario, 2)
      await environment.node.mine({ blocks: 1 })
      await payoutIs(environment, first, 'settled')
    },
  },
  {
    name: 'the base fee rises twentyfold: replaced until it is mined',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      approveAll(scenario, [first])
      await mempoolHas(environment, 1)
      const { baseFeePerGas } = await environment.node.getBlock()
      // It has fallen with each block of the fixture, at last below what a tip alone pays.
      const usual = 10n ** 9n
      const before = (baseFeePerGas ?? 0n) > usual ? (baseFeePerGas ?? 0n) : usual
      await environment.node.setBaseFee(before * 20n)
      await environment.node.mine({ blocks: 1 })
      await attemptsAre(scenario, 2)
    },
  },
  {
    name: 'somebody else uses the nonce: no second payment by itself, one by a person',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      approveAll(scenario, [first])
      await mempoolHas(environment, 1)
      await spendNonceOutside(environment)
      await payoutIs(environment, first, 'needs_operator')
      const answer = await askToApprove(scenario, first)
      const code = answer.body?.error?.code
      if (code !== 'payout_unconfirmed' && code !== 'approval_in_progress')
        environment.violations.push(`what is not known to have failed was answered ${code}`)
      const { done, explanation } = await asOperator(environment, environment.fixture.submissions[first]!.id)
      if (!done) environment.violations.push(`the operator was refused: ${explanation}`)
    },
  },
  {
    name: 'the receipt is not to be had for long: a person is called, and it heals by itself',
    async act(scenario) {
      const { environment } = scenario
      environment.rpc.arm({ on: 'receipt', after: 0, times: 1e6, fault: { kind: 'no receipt' } })
      approveAll(scenario, [first])
      await payoutIs(environment, first, 'needs_operator')
      const { done } = await asOperator(environment, environment.fixture.submissions[first]!.id)
      if (done) environment.violations.push('the operator was allowed to pay again what is mined')
      environment.rpc.heal()
      await payoutIs(environment, first, 'settled')
    },
  },
  {
    name: 'a receipt comes without its logs: a person is called, and it heals when the node is honest',
    async act(scenario) {
      const { environment } = scenario
      environment.rpc.arm({ on: 'receipt', after: 0, times: 1e6, fault: { kind: 'no logs' } })
      approveAll(scenario, [first])
      await payoutIs(environment, first, 'needs_operator')
      environment.rpc.heal()
      await payoutIs(environment, first, 'settled')
    },
  },
  {
    name: 'a reorganisation leaves a nonce gap: filled, and the payout behind it is paid',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      await spendNonceOutside(environment)
      approveAll(scenario, [first], false)
      await mempoolHas(environment, 1)
      await environment.node.mine({ blocks: 1 })
      await payoutIs(environment, first, 'settled')
      await environment.node.reorganise(2)
      await mempoolHas(environment, 2)
    },
  },
  {
    name: 'somebody else uses the nonce of a gap filler: nobody is called',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      const nonce = await spendNonceOutside(environment)
      approveAll(scenario, [first], false)
      await mempoolHas(environment, 1)
      await environment.node.mine({ blocks: 1 })
      await payoutIs(environment, first, 'settled')
      await environment.node.reorganise(2)
      await mempoolHas(environment, 2)
      await spendNonceOutside(environment, nonce)
      await until('the gap filler is abandoned', async () => {
        const rows = await environment.db
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
    async act(scenario) {
      const { environment } = scenario
      const { address } = privateKeyToAccount(environment.fixture.operatorKeys[0]!)
      await environment.node.setBalance({ address, value: 0n })
      approveAll(scenario, [0, 1, 2])
      await until('the queue says why', async () => {
        const rows = await environment.db
          .selectFrom('transactions')
          .select('error')
          .where('status', '=', 'queued')
          .execute()
        return rows.length === 3 && rows.every(({ error }) => error?.includes('ETH'))
      })
      await environment.node.setBalance({ address, value: parseEther('10') })
    },
  },
  {
    name: 'two payouts between the same two in one block: both paid',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      approveAll(scenario, [0, 1])
      await mempoolHas(environment, 2)
      await environment.node.mine({ blocks: 1 })
      await payoutIs(environment, 0, 'settled')
      await payoutIs(environment, 1, 'settled')
    },
  },
  {
    name: 'no block for a while: no fees are raised, and paid when blocks come again',
    options: byHand,
    async act(scenario) {
      const { environment } = scenario
      approveAll(scenario, [first])
      await mempoolHas(environment, 1)
      // Longer than the age at which fees are raised.
      await delay(1800)
      await attemptsAre(scenario, 1)
    },
  },
]

const underpriced = {
  on: 'send',
  after: 0,
  times: 1e6,
  fault: { kind: 'wording', wording: 'underpriced', node: 'geth', accepted: false },
} as const

function attemptsAre({ environment }: Parameters<Directed['act']>[0], wanted: number): Promise<void> {
  return until(`${wanted} attempts`, async () => {
    const rows = await environment.db
      .selectFrom('transaction_attempts')
      .innerJoin('transactions', 'transactions.id', 'transaction_id')
      .select('hash')
      .where('entity_id', '=', environment.fixture.submissions[first]!.id)
      .execute()
    return rows.length >= wanted
  })
}
