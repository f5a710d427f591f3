import { expect, test } from 'vitest'
import { gasBalanceLow } from '../../../server/money/transactions/send/assign.ts'
import { caseReport, listReport } from '../../../server/ops/payouts/report.ts'
import type { AttemptView, Case, TransactionView } from '../../../server/ops/payouts/unresolved.ts'

const key = `0x${'a'.repeat(40)}`

const attempt = (fields: Partial<AttemptView> = {}): AttemptView => ({
  hash: `0x${'1'.repeat(64)}`,
  maxFeePerGas: '2500000000',
  sends: 1,
  sentSecondsAgo: 5,
  lastError: null,
  ...fields,
})

const transaction = (fields: Partial<TransactionView>): TransactionView => ({
  id: 1,
  status: 'unconfirmed',
  lane: key,
  nonce: 3,
  block: null,
  minedHash: null,
  error: null,
  laneLeaseSeconds: 4,
  attempts: [attempt()],
  ...fields,
})

const running = (fields: Partial<Case> = {}): Case => ({
  kind: 'payout',
  entityId: 'sub_1',
  status: 'running',
  entityStatus: 'approving',
  ageSeconds: 90,
  round: 1,
  error: null,
  chainId: 31_337,
  transactions: [],
  ...fields,
})

const retry = 'npm run payouts -- retry sub_1'
const byHand = 'decide by hand: the chain has paid a submission whose review had ended without a payment'
const start = `start the service with the operator key ${key}: no process serves it`
const again = 'nothing: it is sent again until it is mined'
const sent = (fields: Partial<TransactionView>) => running({ transactions: [transaction(fields)] })
const queued = (error: string | null) =>
  sent({ status: 'queued', lane: null, laneLeaseSeconds: null, error, attempts: [] })

test.each<[state: string, found: Case, step: string]>([
  ['a payout that waits for an operator', running({ status: 'needs_operator' }), retry],
  ['a transaction that waits for an operator', sent({ status: 'needs_operator' }), retry],
  ...['rejected', 'changes_requested', 'retracted'].map((entityStatus): [string, Case, string] => [
    `a payout whose submission ended as ${entityStatus}`,
    running({ status: 'needs_operator', entityStatus }),
    byHand,
  ]),
  [
    'an activation, whatever its project is',
    running({ kind: 'activation', status: 'needs_operator', entityStatus: 'rejected' }),
    retry,
  ],
  ['a key that cannot pay the gas', queued(gasBalanceLow), 'send ETH to the operator keys'],
  ['a reason to wait', queued('a node is down'), 'wait: a node is down'],
  ['no free key', queued(null), 'nothing: it is sent as soon as an operator key is free'],
  ['bytes that are sent', sent({}), again],
  ['a mined transaction', sent({ status: 'mined' }), 'nothing: it is mined and waits for its confirmations'],
  ['a lane that fell silent a minute ago', sent({ laneLeaseSeconds: -60 }), again],
  ['a lane that is silent for longer', sent({ laneLeaseSeconds: -61 }), start],
  ['a lane that no process has ever served', sent({ laneLeaseSeconds: null }), start],
  ['no transaction yet', running(), 'nothing: the service continues by itself'],
  ['a failed payout', running({ status: 'failed' }), 'nothing: it waits for the founder to ask again'],
  [
    'a withdrawal that failed for good',
    running({ kind: 'withdrawal', entityStatus: null, status: 'failed' }),
    'nothing: it is finished',
  ],
  [
    'a settled payout',
    running({ status: 'settled', transactions: [transaction({ status: 'confirmed' })] }),
    'nothing: it is finished',
  ],
])('the next step of %s', (_state, found, step) => {
  expect(listReport([found]).at(-1)).toBe(`  next step   ${step}`)
})

test("the last error is the case's, else its newest transaction's, else that of the newest attempt", () => {
  const attempts = [attempt({ lastError: 'first' }), attempt({ lastError: 'nonce too low' })]
  const errorOf = (fields: Partial<Case>) => listReport([running(fields)])[1]
  const deferred = transaction({ error: 'deferred', attempts })
  expect(errorOf({ error: 'why', transactions: [deferred] })).toBe('  last error  why')
  expect(errorOf({ transactions: [deferred] })).toBe('  last error  deferred')
  expect(errorOf({ transactions: [transaction({ error: 'old' }), transaction({ attempts })] })).toBe(
    '  last error  nonce too low',
  )
})

test('the list has state, age, and the attempts of all transactions', () => {
  const transactions = [transaction({ attempts: [attempt(), attempt()] }), transaction({})]
  expect(listReport([running({ transactions })])).toEqual([
    'sub_1  payout running, 90 s old, 3 attempts',
    `  next step   ${again}`,
  ])
  expect(listReport([])).toEqual([expect.stringMatching(/^Nothing is unresolved/)])
})

test('the report of one case has every attempt with its price and the error of the node', () => {
  const found = running({
    transactions: [transaction({ attempts: [attempt({ lastError: 'nonce too low' })] })],
  })
  expect(caseReport(found)).toEqual([
    'sub_1  payout running (submission approving), asked for 1 time, 90 s old',
    `  transaction 1 unconfirmed, key ${key}, nonce 3`,
    `    0x${'1'.repeat(64)}`,
    '      at most 2.500 gwei per gas, sent 1 time, last 5 s ago',
    '      error of the node: nonce too low',
    '  next step   nothing: it is sent again until it is mined',
  ])
  const allowance = running({ kind: 'allowance', entityId: 'alw_1', entityStatus: null })
  expect(caseReport(allowance)[0]).toBe('alw_1  allowance running, asked for 1 time, 90 s old')
})
