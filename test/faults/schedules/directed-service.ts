import { sql } from 'kysely'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { migrate } from '../../../server/db/migrate/migrate.ts'
import { nodeNames, type Wording, wordings } from '../proxies/wordings.ts'
import {
  activateAll,
  approveAll,
  askToApprove,
  type Directed,
  noOperatorWasCalled,
  payoutIs,
  until,
} from './helpers.ts'

const all = [0, 1, 2, 3, 4, 5]
const five = [0, 1, 2, 3, 4]

/** What node, database, processes and founders can do to a payout. */
export const aroundService: Directed[] = [
  ...Object.keys(wordings).map(
    (wording): Directed => ({
      name: `every node's words for ${wording}, once before and once after taking the bytes: paid once each, and nobody is called`,
      async act(scenario) {
        for (const accepted of [false, true])
          for (const node of nodeNames)
            scenario.environment.rpc.arm({
              on: 'send',
              after: 0,
              times: 1,
              fault: { kind: 'wording', wording: wording as Wording, node, accepted },
            })
        approveAll(scenario, five)
        await settled(scenario, five)
        await noOperatorWasCalled(scenario.environment)
      },
    }),
  ),
  ...(['before', 'after'] as const).flatMap((when) =>
    [0, 6].map(
      (offset): Directed => ({
        name: `connections cut ${when} the server sees each of the COMMITs ${offset} to ${offset + 5}: paid once each`,
        async act(scenario) {
          for (const submission of all) {
            scenario.environment.postgres.cutAtCommit(when, offset + submission)
            approveAll(scenario, [submission])
            await payoutIs(scenario.environment, submission, 'settled')
          }
        },
      }),
    ),
  ),
  {
    name: 'fifty approvals at once on two connections: each submission paid once',
    options: { poolSize: 2, slots: [[], []] },
    async act(scenario) {
      const { environment } = scenario
      const requests = Array.from({ length: 50 }, (_, index) => askToApprove(scenario, index % all.length))
      const answers = await Promise.all(requests)
      for (const { status, body } of answers)
        if (status === 200) environment.reported.set(body.submission_id, body.contributor_tx_hash)
      for (const { id } of environment.fixture.submissions) environment.mayBeOver.add(id)
      approveAll(scenario, all)
    },
  },
  {
    name: 'every answer of the node takes longer than a lease is long: two processes still get on',
    options: { slots: [[], []], operators: 1 },
    async act(scenario) {
      const { environment } = scenario
      environment.rpc.arm({ on: 'any', after: 0, times: 1e6, fault: { kind: 'late', ms: 450 } })
      approveAll(scenario, [0, 1])
      await settled(scenario, [0, 1])
    },
  },
  {
    name: 'half of all reads come from a node that is three blocks behind: paid once each',
    options: { confirmations: 2, blockMs: 80 },
    async act(scenario) {
      const { environment, random } = scenario
      const share = () => random.chance(0.5)
      environment.rpc.arm({ on: 'read', after: 0, times: 1e6, share, fault: { kind: 'stale', behind: 3 } })
      approveAll(scenario, five, false)
      await settled(scenario, five)
    },
  },
  ...[true, false].map(
    (accepted): Directed => ({
      name: `killed while sending, the node has ${accepted ? '' : 'not '}taken the bytes: paid once`,
      async act(scenario) {
        const fault = { kind: 'sender struck', accepted, action: 'kill' } as const
        scenario.environment.rpc.arm({ on: 'send', after: 0, times: 1, fault })
        approveAll(scenario, [0, 3])
        await settled(scenario, [0, 3])
      },
    }),
  ),
  {
    name: 'a key is taken away with a transaction that never reached the mempool: watched, sent again, paid once',
    options: { settingsByLife: keysByLife },
    async act(scenario) {
      const { environment } = scenario
      environment.rpc.arm({ on: 'send', after: 0, times: 1e6, fault: { kind: 'swallowed' } })
      approveAll(scenario, [0])
      // Bytes that count as never sent would be sent without any of the checks of a second time.
      await until('the bytes count as sent', async () => {
        const attempts = environment.db
          .selectFrom('transaction_attempts')
          .innerJoin('transactions', 'transactions.id', 'transaction_id')
        const sent = attempts.select('hash').where('purpose', '=', 'payout').where('sends', '>', 0)
        return (await sent.execute()).length > 0
      })
      environment.fleet.kill(0)
      environment.rpc.heal()
      await payoutIs(environment, 0, 'settled')
    },
  },
  {
    name: 'a key is taken away with a deploy that it had not signed: another key deploys, once',
    // A key without ether would otherwise refuse the activation before anything is queued.
    options: {
      settingsByLife: (keys) =>
        keysByLife(keys).map((lives) => lives.map((life) => ({ ...life, LOW_GAS_PAYOUTS: '0' }))),
    },
    async act(scenario) {
      const { environment } = scenario
      const { address } = privateKeyToAccount(environment.fixture.operatorKeys[0]!)
      await environment.node.setBalance({ address, value: 0n })
      activateAll(scenario, [0])
      await until('the deploy is queued for the key', async () => {
        const query = environment.db.selectFrom('transactions').select('id').where('status', '=', 'queued')
        return (await query.where('error', 'is not', null).execute()).length === 1
      })
      environment.fleet.kill(0)
      await until('the project is active', async () => {
        const query = environment.db.selectFrom('projects').select('status')
        return (
          (await query.where('id', '=', environment.fixture.proposals[0]!.id).executeTakeFirst())?.status ===
          'active'
        )
      })
      await environment.node.setBalance({ address, value: parseEther('10') })
    },
  },
  {
    name: 'a lease that ends in an hour, because the clock of the database was set back: taken over at once',
    async act(scenario) {
      const { environment } = scenario
      await environment.db
        .updateTable('lanes')
        .set({ lease_owner: 'a dead process', lease_until: sql`now() + interval '1 hour'` })
        .execute()
      approveAll(scenario, [0])
      await payoutIs(environment, 0, 'settled')
    },
  },
  {
    name: 'the schema is migrated while payouts are on their way: paid once each',
    options: { slots: [[], []] },
    async act(scenario) {
      const { environment } = scenario
      approveAll(scenario, all)
      await migrate(environment.db)
      await sql`alter table payouts add column of_a_later_version text`.execute(environment.db)
      await sql`alter table transactions add column of_a_later_version text`.execute(environment.db)
    },
  },
  {
    name: 'a founder comes back with a key that was forgotten: not paid again',
    async act(scenario) {
      const { environment } = scenario
      const answer = await askToApprove(scenario, 0, 'long-ago')
      if (answer.status !== 200) environment.violations.push(`answered ${answer.status}`)
      await environment.db.deleteFrom('idempotency_keys').execute()
      const again = await askToApprove(scenario, 0, 'long-ago')
      const code = again.body?.error?.code
      if (code !== 'bounty_not_in_review') environment.violations.push(`answered ${again.status} ${code}`)
    },
  },
  {
    name: 'the process that has taken the request dies: the same key brings the same hashes from another',
    options: { slots: [[[{ step: 'attempt sent', nth: 1, action: 'kill' }]], []] },
    async act(scenario) {
      approveAll(scenario, [0, 1, 2])
      await settled(scenario, [0, 1, 2])
    },
  },
]

async function settled(
  { environment }: Parameters<Directed['act']>[0],
  submissions: number[],
): Promise<void> {
  for (const submission of submissions) await payoutIs(environment, submission, 'settled')
}

/** First the first key alone, then the second alone. */
function keysByLife(keys: string[]): Record<string, string>[][] {
  return [[{ OPERATOR_PRIVATE_KEYS: keys[0]! }, { OPERATOR_PRIVATE_KEYS: keys[1]! }]]
}
