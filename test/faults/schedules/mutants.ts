import type { Patch } from '../support/bundle.ts'
import { payoutsKilled, payoutsStopped } from './crashes.ts'
import { directed } from './directed.ts'
import type { Directed } from './helpers.ts'

/** One protection switched off. */
export interface Mutant {
  name: string
  patches: Patch[]
  /** Schedules that were thought out against its absence. */
  against: Directed[]
  /** The platform wallet pays an id as often as it is asked to. */
  withoutGuard?: boolean
}

const assign = 'server/transactions/assign.ts'
const send = 'server/transactions/send.ts'
const lease = 'server/transactions/lease.ts'

/** What the table in the README shows: each protection alone switched off, in a bundle of the test's own. */
export const mutants: Mutant[] = [
  {
    name: 'nothing',
    against: [named('a reorganisation turns a revert into'), named('C2 ', payoutsStopped)],
    patches: [],
  },
  {
    name: 'stored before sent',
    against: [
      named('the process that has taken the request dies'),
      named('C4 after sending, before', payoutsKilled),
    ],
    patches: [
      {
        file: assign,
        find: '  const free = await storeAssignments(context.db, lease, assignments)\n',
        replace:
          '  for (const { attempt } of assignments) {\n' +
          '    await context.chain.send(attempt.raw, 0).catch(() => undefined)\n' +
          "    reached('attempt sent', null)\n  }\n" +
          '  const free = await storeAssignments(context.db, lease, assignments)\n',
      },
      {
        file: send,
        find: '  await underLease(context.db, lease, (trx) => insertAttempt(trx, transaction.id, attempt))\n',
        replace:
          "  await context.chain.send(attempt.raw, 0).catch(() => undefined)\n  reached('replacement sent', null)\n" +
          '  await underLease(context.db, lease, (trx) => insertAttempt(trx, transaction.id, attempt))\n',
      },
    ],
  },
  {
    name: 'fencing check',
    against: [named('C2 ', payoutsStopped), named('C4 after sending, before', payoutsStopped)],
    patches: [
      {
        file: lease,
        find: '    if (!held) throw new LeaseLostError(',
        replace: '    if (false) throw new LeaseLostError(',
      },
      { file: lease, find: ` and fence = \${lease.fence} for update\``, replace: ' for update`' },
    ],
  },
  {
    name: 'receipts of old hashes',
    against: [named('the original is mined although')],
    patches: [
      {
        file: 'server/transactions/inspect.ts',
        find: 'transaction.attempts.map((attempt) => attempt.hash).reverse()',
        replace: 'transaction.attempts.map((attempt) => attempt.hash).slice(-1)',
      },
    ],
  },
  {
    name: 'on-chain guard',
    against: [named('a reorganisation turns a revert into')],
    patches: [],
    withoutGuard: true,
  },
  {
    name: 'looking again until final',
    against: [
      named('a reorganisation takes a payment and brings'),
      named('a reorganisation leaves a nonce gap'),
    ],
    patches: [
      {
        file: 'server/transactions/inspect.ts',
        find: '  if (canonical !== transaction.blockHash) return inspectMoved(context, view, transaction, canonical)\n',
        replace: '',
      },
      {
        file: 'server/transactions/lane.ts',
        find: '        if (canonical !== hash) moved.push(hash)\n',
        replace: '        if (canonical !== hash) complete = false\n',
      },
    ],
  },
  {
    name: 'revert only at the confirmation depth',
    against: [named('a payout reverts in a block that the chain takes back')],
    patches: [
      {
        file: 'server/transactions/inspect.ts',
        find: '  if (receipt.blockNumber <= view.depth.counted) {\n    const judgement',
        replace:
          "  if (receipt.blockNumber <= view.depth.counted || receipt.status === 'reverted') {\n    const judgement",
      },
    ],
  },
  {
    name: 'one live transaction a payout',
    against: [named('a reorganisation turns a revert into'), named('somebody else uses the nonce:')],
    patches: [
      {
        file: 'server/transactions/queue.ts',
        find: 'const othersAlive = sql<boolean>`exists',
        replace: 'const othersAlive = sql<boolean>`false and exists',
      },
      {
        file: 'server/transactions/queue.ts',
        find: '  return rows.length > 0\n',
        replace: '  return rows.length < 0\n',
      },
    ],
  },
  {
    name: 'gap filling',
    against: [named('a reorganisation leaves a nonce gap')],
    patches: [
      {
        file: assign,
        find: '  if (!account) return\n  for (const nonce of gaps)',
        replace: '  if (account) return\n  for (const nonce of gaps)',
      },
    ],
  },
  {
    name: 'sending again',
    against: [
      named('a key is taken away with a transaction'),
      named('a reorganisation takes a payment that'),
    ],
    patches: [
      {
        file: send,
        find: '  const isQuiet = last.sends === 0 || last.quietSeconds >= context.limits.resendAfterSeconds\n',
        replace: '  const isQuiet = last.sends === 0\n',
      },
    ],
  },
  {
    name: 'replacement by 12.5 %',
    against: [named('the base fee rises'), named('the original is mined although')],
    patches: [
      {
        file: 'server/transactions/fees.ts',
        find: '(value + 7n) / 8n',
        replace: 'value / 100n',
      },
    ],
  },
  {
    name: 'the verdict is not the error text',
    against: [named("every node's words for known"), named("every node's words for nonceTooLow")],
    patches: [
      {
        file: send,
        find: '  await recordSends(context.db, lease, sends)\n',
        replace:
          '  await recordSends(context.db, lease, sends)\n' +
          '  await underLease(context.db, lease, async (trx) => {\n' +
          '    for (const { hash, refusal } of sends)\n' +
          "      if (refusal !== null && nextStepAfter(refusal) === 'wait')\n" +
          "        await trx.updateTable('transactions').set({ status: 'needs_operator', error: refusal })\n" +
          "          .where('status', '=', 'unconfirmed').where('id', 'in', trx.selectFrom('transaction_attempts')\n" +
          "          .select('transaction_id').where('hash', '=', hash)).execute()\n" +
          '  })\n',
      },
    ],
  },
  {
    name: 'exact logs',
    against: [named('a receipt comes without its logs')],
    patches: [
      {
        file: 'server/payouts/owner.ts',
        find: "  if (why) return { verdict: 'anomaly', why }\n",
        replace: "  if (!why && !receipt) return { verdict: 'wait' }\n",
      },
    ],
  },
]

function named(beginning: string, schedules = directed): Directed {
  const found = schedules.filter(({ name }) => name.startsWith(beginning))
  const [schedule] = found
  if (!schedule || found.length > 1) throw new Error(`no single schedule begins with "${beginning}"`)
  return schedule
}
