import type { Patch } from '../support/bundle.ts'
import { deploysKilled, payoutsKilled, payoutsStopped } from './crashes.ts'
import { directed } from './directed.ts'
import { afterSettlement } from './directed-late.ts'
import type { Directed } from './helpers.ts'

/** One protection switched off. */
export interface Mutant {
  name: string
  patches: Patch[]
  /** Directed schedules that must notice its absence. */
  against: Directed[]
  /** An ordinary test that notices it as well, so that `npm test` plays no schedule for it. */
  noticedBy?: { file: string; title: string }
  /** The platform wallet pays an id as often as it is asked to. */
  withoutGuard?: boolean
}

const assign = 'server/money/transactions/send/assign.ts'
const keepAlive = 'server/money/transactions/send/keep-alive.ts'
const send = 'server/money/transactions/send/send.ts'
const ofHost = 'test/market/acceptances/silence-host.test.ts'

/** The wallet of someone who has done no work. */
const externalWallet = '0x000000000000000000000000000000000000dEaD'

/** Each protection switched off alone, in a bundle of its own. */
export const mutants: Mutant[] = [
  {
    name: 'nothing',
    against: [named('a reorganisation turns a revert into'), named('C2 ', payoutsStopped)],
    patches: [],
  },
  {
    name: 'redirected payout',
    against: [named('the original is mined although')],
    patches: [
      {
        around: 'newTerms',
        by: `(original, chain, request) => original(chain, { ...request, to: '${externalWallet}' })`,
      },
    ],
  },
  {
    name: 'wrong fee',
    against: [named('the original is mined although')],
    // As if basis points were thousandths.
    patches: [{ around: 'splitReward', by: '(original, reward, feeBps) => original(reward, feeBps * 2)' }],
  },
  {
    name: 'final at first check',
    against: afterSettlement,
    patches: [
      {
        around: 'depthOf',
        by: '(original, ...args) => { const depth = original(...args); return { ...depth, final: depth.counted } }',
      },
    ],
  },
  {
    name: 'nonce + 1',
    against: [named('the original is mined although')],
    patches: [
      {
        around: 'assignQueued',
        by: '(original, tick, state, ...rest) => original(tick, { ...state, nextNonce: state.nextNonce + 1 }, ...rest)',
      },
    ],
  },
  {
    name: 'fence off',
    against: [named('C2 ', payoutsStopped), named('C4 after sending, before', payoutsStopped)],
    patches: [{ around: 'underLease', by: '(original, db, lease, work) => inTransaction(db, work)' }],
  },
  {
    name: 'stored before sent',
    against: [
      named('C4 after sending, before', payoutsKilled),
      named('the process that has taken the request dies'),
      named('C11 after the deploy is sent', deploysKilled),
    ],
    patches: [
      {
        file: assign,
        find: '  const free = await storeAssignments(tick.db, tick.lease, assignments)\n',
        replace:
          '  for (const { attempt } of assignments) {\n' +
          '    await tick.chain.send(attempt.raw, 0).catch(() => undefined)\n' +
          "    emitStep('attempt sent', null)\n  }\n" +
          '  const free = await storeAssignments(tick.db, tick.lease, assignments)\n',
      },
      {
        file: keepAlive,
        find: '  await underLease(tick.db, tick.lease, (trx) => insertAttempt(trx, id, attempt))\n',
        replace:
          "  await tick.chain.send(attempt.raw, 0).catch(() => undefined)\n  emitStep('replacement sent', null)\n" +
          '  await underLease(tick.db, tick.lease, (trx) => insertAttempt(trx, id, attempt))\n',
      },
    ],
  },
  {
    name: 'receipts of old hashes',
    against: [named('the original is mined although')],
    patches: [
      {
        around: 'receiptOf',
        by:
          '(original, tick, transaction) => ' +
          'original(tick, { ...transaction, attempts: transaction.attempts.slice(-1) })',
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
    name: 'checking until final',
    against: [
      named('a reorganisation leaves a nonce gap'),
      named('a reorganisation takes a payment and brings'),
    ],
    patches: [
      { around: 'inspectMoved', by: '() => nothing' },
      { around: 'checkBlocks', by: 'async () => ({ moved: [], isComplete: false })' },
    ],
  },
  {
    name: 'revert only at the confirmation depth',
    against: [named('a payout reverts in a block that the chain takes back')],
    patches: [
      {
        around: 'weigh',
        by:
          '(original, tick, transaction, receipt) => {\n' +
          "  const counted = receipt.status === 'reverted' ? receipt.blockNumber : tick.view.depth.counted\n" +
          '  const view = { ...tick.view, depth: { ...tick.view.depth, counted } }\n' +
          '  return original({ ...tick, view }, transaction, receipt)\n}',
      },
    ],
  },
  {
    name: 'one live transaction a payout',
    against: [named('a reorganisation brings a revert again')],
    patches: [
      { around: 'otherIsLive', by: '() => sql`false`' },
      { around: 'hasLiveTransaction', by: 'async () => false' },
    ],
  },
  {
    name: 'gap filling',
    against: [named('a reorganisation leaves a nonce gap')],
    patches: [{ around: 'fillGaps', by: 'async () => undefined' }],
  },
  {
    name: 'sending again',
    against: [named('a key is taken away with a transaction')],
    patches: [
      {
        around: 'keepAlive',
        by:
          'async (original, ...args) => {\n' +
          '  const offer = await original(...args)\n' +
          '  return offer && offer.attempt.sends > 0 ? undefined : offer\n}',
      },
    ],
  },
  {
    name: 'replacement by 12.5 %',
    against: [named('the original is mined although'), named('the base fee rises')],
    patches: [{ around: 'eighthMore', by: '(original, value) => value + value / 100n + 1n' }],
  },
  {
    name: 'the outcome does not depend on the error text',
    against: [named("every node's words for known"), named("every node's words for nonceTooLow")],
    patches: [
      {
        file: send,
        find: '  await recordSends(tick.db, tick.lease, sends)\n',
        replace:
          '  await recordSends(tick.db, tick.lease, sends)\n' +
          '  for (const { hash, refusal } of sends)\n' +
          "    if (refusal !== null && nextStepAfter(refusal) === 'wait')\n" +
          "      await tick.db.updateTable('transactions').set({ status: 'needs_operator', error: refusal })\n" +
          "        .where('status', '=', 'unconfirmed').where('id', 'in', tick.db.selectFrom('transaction_attempts')\n" +
          "        .select('transaction_id').where('hash', '=', hash)).execute()\n",
      },
    ],
  },
  {
    name: 'nonce from the Idempotency-Key',
    against: [
      named('the database falls back behind withdrawals'),
      named('connections are cut around'),
      named('the database falls back while a withdrawal'),
    ],
    patches: [
      {
        around: 'withdrawalNonce',
        by:
          '(original, chainId, agentId) => ' +
          'original(chainId, agentId, Buffer.from(crypto.getRandomValues(new Uint8Array(32))))',
      },
    ],
  },
  {
    name: 'a revert is no failure of a withdrawal',
    against: [
      named('somebody else relays a withdrawal as tokens'),
      named('a sale reverts because the price fell'),
    ],
    patches: [
      {
        around: 'reopenRelay',
        by:
          '(original, trx, id, lost, isMade) => ' +
          "isMade ? original(trx, id, lost, isMade) : failRelay(trx, id, 'authorization_expired')",
      },
    ],
  },
  {
    name: 'a withdrawal fails only at a final block',
    against: [named('no key has gas for a withdrawal')],
    patches: [
      {
        around: 'findSettlement',
        by:
          'async (original, client, relay, depth) => {\n' +
          '  const { timestamp } = await client.getBlock({ blockNumber: BigInt(depth.head) })\n' +
          '  return original(client, relay, depth, Number(timestamp))\n}',
      },
    ],
  },
  {
    name: 'exact logs',
    against: [named('a receipt comes without its logs')],
    noticedBy: {
      file: 'test/market/bounties/approve.test.ts',
      title: 'a receipt without its logs calls the operator',
    },
    patches: [{ around: 'payoutAnomaly', by: '() => undefined' }],
  },
  {
    name: 'a rule is read a second time',
    against: [named('a check is green by another account')],
    noticedBy: { file: ofHost, title: '%s at the end of the window pays nothing: %s' },
    patches: [
      {
        around: 'lookByRule',
        by:
          '(original, options, work) =>' +
          " work.seen?.state === 'running' && work.is_over ? Promise.resolve(work.seen.head_sha) : original(options, work)",
      },
    ],
  },
  {
    name: 'a rule has its time',
    against: [named('a check is green by another account')],
    noticedBy: { file: ofHost, title: 'an outage of the service puts the end of a window off' },
    patches: [
      { around: 'requireOver', by: 'async () => undefined' },
      {
        around: 'lookByRule',
        by: '(original, options, work) => original(options, { ...work, is_over: true })',
      },
    ],
  },
  {
    name: 'the poster of a check is pinned',
    against: [named('a check is green by another account')],
    noticedBy: { file: ofHost, title: '%s at the end of the window pays nothing: %s' },
    patches: [
      {
        file: 'server/code/host/acceptance-facts.ts',
        find: ' && isSamePoster(one.posted_by, posted_by)',
        replace: '',
      },
    ],
  },
]

/**
 * The schedules that every test run plays: for each protection, the first that must notice its absence. The long tests play all.
 * Crash points have tests of their own.
 */
export const firstAgainst = directed.filter((schedule) =>
  mutants.some(({ against, noticedBy }) => !noticedBy && against[0] === schedule),
)

function named(beginning: string, schedules = directed): Directed {
  const found = schedules.filter(({ name }) => name.startsWith(beginning))
  const [schedule] = found
  if (!schedule || found.length > 1) throw new Error(`no single schedule begins with "${beginning}"`)
  return schedule
}
