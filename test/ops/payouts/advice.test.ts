import { describe, expect, test } from 'vitest'
import { countAttempts, lastError, nextStep } from '../../../server/ops/payouts/advice.ts'
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
  needsGas: false,
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

describe('nextStep', () => {
  const queued = (fields: Partial<TransactionView>) =>
    running({
      transactions: [transaction({ status: 'queued', lane: null, laneLeaseSeconds: null, ...fields })],
    })
  const sent = (fields: Partial<TransactionView>) => running({ transactions: [transaction(fields)] })

  type Advice = [name: string, found: Case, step: ReturnType<typeof nextStep>]
  test.each<Advice>([
    [
      'retry for a payout that waits for an operator',
      running({ status: 'needs_operator' }),
      { action: 'retry', entityId: 'sub_1' },
    ],
    [
      'retry for a transaction that waits for an operator',
      sent({ status: 'needs_operator' }),
      { action: 'retry', entityId: 'sub_1' },
    ],
    ...['rejected', 'changes_requested', 'retracted'].map(
      (entityStatus): Advice => [
        `decide by hand after the submission ended as ${entityStatus}`,
        running({ status: 'needs_operator', entityStatus }),
        { action: 'decide by hand' },
      ],
    ),
    [
      'retry for an activation, whatever its project is',
      running({ kind: 'activation', entityId: 'proj_1', status: 'needs_operator', entityStatus: 'rejected' }),
      { action: 'retry', entityId: 'proj_1' },
    ],
    [
      'send gas while the key cannot pay it',
      queued({ error: 'too little', needsGas: true }),
      { action: 'send gas' },
    ],
    [
      'wait with the reason',
      queued({ error: 'a node is down' }),
      { action: 'wait', reason: 'a node is down' },
    ],
    ['nothing while no key is free', queued({}), { action: 'nothing', because: 'queued' }],
    ['nothing while the bytes are sent again', sent({}), { action: 'nothing', because: 'sent' }],
    ['nothing while a block waits', sent({ status: 'mined' }), { action: 'nothing', because: 'mined' }],
    [
      'nothing for a lane that fell silent a minute ago',
      sent({ laneLeaseSeconds: -60 }),
      { action: 'nothing', because: 'sent' },
    ],
    [
      'start the service for a lane that is silent for longer',
      sent({ laneLeaseSeconds: -61 }),
      { action: 'start service', lane: key },
    ],
    [
      'start the service for a lane that no process has ever served',
      sent({ laneLeaseSeconds: null }),
      { action: 'start service', lane: key },
    ],
    ['nothing before there is a transaction', running(), { action: 'nothing', because: 'running' }],
    ['nothing after a failure', running({ status: 'failed' }), { action: 'nothing', because: 'failed' }],
    [
      'nothing after a withdrawal has failed for good',
      running({ kind: 'withdrawal', entityStatus: null, status: 'failed' }),
      { action: 'nothing', because: 'finished' },
    ],
    [
      'nothing when it is finished',
      running({ status: 'settled', transactions: [transaction({ status: 'confirmed' })] }),
      { action: 'nothing', because: 'finished' },
    ],
  ])('%s', (_name, found, expected) => {
    expect(nextStep(found)).toEqual(expected)
  })
})

test("lastError is the case's, else its newest transaction's, else that of the newest attempt", () => {
  const attempts = [attempt({ lastError: 'first' }), attempt({ lastError: 'nonce too low' })]
  expect(lastError(running({ error: 'why', transactions: [transaction({ error: 'deferred' })] }))).toBe('why')
  expect(lastError(running({ transactions: [transaction({ error: 'deferred', attempts })] }))).toBe(
    'deferred',
  )
  expect(
    lastError(running({ transactions: [transaction({ error: 'old' }), transaction({ attempts })] })),
  ).toBe('nonce too low')
  expect(lastError(running())).toBeNull()
})

test('countAttempts counts the attempts of all transactions', () => {
  const transactions = [transaction({ attempts: [attempt(), attempt()] }), transaction({})]
  expect(countAttempts(running({ transactions }))).toBe(3)
})

test('the list has state, age, attempts, last error and the next step as sentences', () => {
  const transactions = [transaction({ status: 'queued', error: 'too little', needsGas: true, attempts: [] })]
  expect(listReport([running({ transactions })])).toEqual([
    'sub_1  payout running, 90 s old, 0 attempts',
    '  last error  too little',
    '  next step   send ETH to the operator keys',
  ])
  expect(listReport([])).toEqual(['Nothing is unresolved.'])
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
