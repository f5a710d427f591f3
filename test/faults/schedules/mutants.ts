import type { Patch } from '../support/bundle.ts'

/** One protection switched off. */
export interface Mutant {
  name: string
  patches: Patch[]
  /** The platform wallet pays an id as often as it is asked to. */
  withoutGuard?: boolean
}

const assign = 'server/transactions/assign.ts'
const send = 'server/transactions/send.ts'

/** What the table in the README shows: each protection alone switched off, in a bundle of the test's own. */
export const mutants: Mutant[] = [
  {
    name: 'stored before sent',
    patches: [
      {
        file: assign,
        find: '  const ours = await underLease(db, lease, async (trx) => {\n',
        replace:
          "  await context.chain.send(attempt.raw, 0).catch(() => undefined)\n  reached('attempt sent', subject)\n" +
          '  const ours = await underLease(db, lease, async (trx) => {\n',
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
    patches: [
      {
        file: 'server/transactions/lease.ts',
        find: '    if (!held) throw new LeaseLostError(',
        replace: '    if (false) throw new LeaseLostError(',
      },
    ],
  },
  {
    name: 'receipts of old hashes',
    patches: [
      {
        file: 'server/transactions/inspect.ts',
        find: 'transaction.attempts.map((attempt) => attempt.hash).reverse()',
        replace: 'transaction.attempts.map((attempt) => attempt.hash).slice(-1)',
      },
    ],
  },
  { name: 'on-chain guard', patches: [], withoutGuard: true },
  {
    name: 'looking again until final',
    patches: [
      {
        file: 'server/transactions/inspect.ts',
        find: '  if (canonical !== transaction.blockHash) return inspectMoved(context, view, transaction, canonical)\n',
        replace: '',
      },
    ],
  },
  {
    name: 'revert only at the confirmation depth',
    patches: [
      {
        file: 'server/transactions/inspect.ts',
        find: '  if (depth >= context.limits.confirmations) {\n    const judgement',
        replace:
          "  if (depth >= context.limits.confirmations || receipt.status === 'reverted') {\n    const judgement",
      },
    ],
  },
  {
    name: 'one live transaction a payout',
    patches: [
      {
        file: 'server/transactions/queue.ts',
        find: '  return (await query.limit(1).executeTakeFirst()) !== undefined\n',
        replace: '  return (await query.limit(1).executeTakeFirst()) === null\n',
      },
    ],
  },
  {
    name: 'gap filling',
    patches: [
      {
        file: assign,
        find: '  if (!account) return\n  const held',
        replace: '  if (account) return\n  const held',
      },
    ],
  },
  {
    name: 'sending again',
    patches: [
      {
        file: send,
        find: '  if (last.sends === 0 || last.quietSeconds >= context.limits.resendAfterSeconds)\n',
        replace: '  if (last.sends === 0)\n',
      },
    ],
  },
  {
    name: 'replacement by 12.5 %',
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
    patches: [
      {
        file: send,
        find: "  reached('attempt sent', null)\n  await underLease(context.db, lease, (trx) => recordSend(trx, attempt.hash, refusal))\n",
        replace:
          "  reached('attempt sent', null)\n" +
          '  await underLease(context.db, lease, async (trx) => {\n' +
          '    await recordSend(trx, attempt.hash, refusal)\n' +
          "    if (refusal !== null && nextStepAfter(refusal) === 'wait')\n" +
          "      await trx.updateTable('transactions').set({ status: 'needs_operator', error: refusal })\n" +
          "        .where('status', '=', 'unconfirmed').where('id', 'in', trx.selectFrom('transaction_attempts')\n" +
          "        .select('transaction_id').where('hash', '=', attempt.hash)).execute()\n" +
          '  })\n',
      },
    ],
  },
  {
    name: 'exact logs',
    patches: [
      {
        file: 'server/payouts/owner.ts',
        find: "  if (why) return { verdict: 'anomaly', why }\n",
        replace: "  if (!why && !receipt) return { verdict: 'wait' }\n",
      },
    ],
  },
]
