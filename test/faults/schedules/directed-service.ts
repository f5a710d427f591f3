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
  nobodyWasCalled,
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
      async act(scene) {
        for (const accepted of [false, true])
          for (const node of nodeNames)
            scene.stage.rpc.arm({
              on: 'send',
              after: 0,
              times: 1,
              fault: { kind: 'wording', wording: wording as Wording, node, accepted },
            })
        approveAll(scene, five)
        await settled(scene, five)
        await nobodyWasCalled(scene.stage)
      },
    }),
  ),
  ...(['before', 'after'] as const).flatMap((when) =>
    [0, 6].map(
      (offset): Directed => ({
        name: `connections cut ${when} the server sees each of the COMMITs ${offset} to ${offset + 5}: paid once each`,
        async act(scene) {
          for (const submission of all) {
            scene.stage.postgres.cutAtCommit(when, offset + submission)
            approveAll(scene, [submission])
            await payoutIs(scene.stage, submission, 'settled')
          }
        },
      }),
    ),
  ),
  {
    name: 'fifty approvals at once on two connections: each submission paid once',
    staging: { poolSize: 2, berths: [[], []] },
    async act(scene) {
      const { stage } = scene
      const requests = Array.from({ length: 50 }, (_, index) => askToApprove(scene, index % all.length))
      const answers = await Promise.all(requests)
      for (const { status, body } of answers)
        if (status === 200) stage.told.set(body.submission_id, body.contributor_tx_hash)
      for (const { id } of stage.ground.submissions) stage.mayBeOver.add(id)
      approveAll(scene, all)
    },
  },
  {
    name: 'every answer of the node takes longer than a lease is long: two processes still get on',
    staging: { berths: [[], []], operators: 1 },
    async act(scene) {
      const { stage } = scene
      stage.rpc.arm({ on: 'any', after: 0, times: 1e6, fault: { kind: 'late', ms: 450 } })
      approveAll(scene, [0, 1])
      await settled(scene, [0, 1])
    },
  },
  {
    name: 'half of all reads come from a node that is three blocks behind: paid once each',
    staging: { confirmations: 2, blockMs: 80 },
    async act(scene) {
      const { stage, random } = scene
      const share = () => random.chance(0.5)
      stage.rpc.arm({ on: 'read', after: 0, times: 1e6, share, fault: { kind: 'stale', behind: 3 } })
      approveAll(scene, five, false)
      await settled(scene, five)
    },
  },
  ...[true, false].map(
    (accepted): Directed => ({
      name: `killed while sending, the node has ${accepted ? '' : 'not '}taken the bytes: paid once`,
      async act(scene) {
        const fault = { kind: 'sender struck', accepted, action: 'kill' } as const
        scene.stage.rpc.arm({ on: 'send', after: 0, times: 1, fault })
        approveAll(scene, [0, 3])
        await settled(scene, [0, 3])
      },
    }),
  ),
  {
    name: 'a key is taken away with a transaction that never reached the mempool: watched, sent again, paid once',
    staging: { settingsByLife: keysByLife },
    async act(scene) {
      const { stage } = scene
      stage.rpc.arm({ on: 'send', after: 0, times: 1e6, fault: { kind: 'swallowed' } })
      approveAll(scene, [0])
      await until('the bytes are stored', async () => stage.rpc.hits() > 0)
      stage.fleet.kill(0)
      stage.rpc.heal()
      await payoutIs(stage, 0, 'settled')
    },
  },
  {
    name: 'a key is taken away with a deploy that it had not signed: another key deploys, once',
    staging: { settingsByLife: keysByLife },
    async act(scene) {
      const { stage } = scene
      const { address } = privateKeyToAccount(stage.ground.operatorKeys[0]!)
      await stage.node.setBalance({ address, value: 0n })
      activateAll(scene, [0])
      await until('the deploy is queued for the key', async () => {
        const query = stage.db.selectFrom('transactions').select('id').where('status', '=', 'queued')
        return (await query.where('error', 'is not', null).execute()).length === 1
      })
      stage.fleet.kill(0)
      await until('the project is active', async () => {
        const query = stage.db.selectFrom('projects').select('status')
        return (
          (await query.where('id', '=', stage.ground.proposals[0]!.id).executeTakeFirst())?.status ===
          'active'
        )
      })
      await stage.node.setBalance({ address, value: parseEther('10') })
    },
  },
  {
    name: 'a lease that ends in an hour, because the clock of the database was set back: taken over at once',
    async act(scene) {
      const { stage } = scene
      await stage.db
        .updateTable('lanes')
        .set({ lease_owner: 'a dead process', lease_until: sql`now() + interval '1 hour'` })
        .execute()
      approveAll(scene, [0])
      await payoutIs(stage, 0, 'settled')
    },
  },
  {
    name: 'the schema is migrated while payouts are on their way: paid once each',
    staging: { berths: [[], []] },
    async act(scene) {
      const { stage } = scene
      approveAll(scene, all)
      await migrate(stage.db)
      await sql`alter table payouts add column of_a_later_version text`.execute(stage.db)
      await sql`alter table transactions add column of_a_later_version text`.execute(stage.db)
    },
  },
  {
    name: 'a founder comes back with a key that was forgotten: not paid again',
    async act(scene) {
      const { stage } = scene
      const answer = await askToApprove(scene, 0, 'long-ago')
      if (answer.status !== 200) stage.violations.push(`answered ${answer.status}`)
      await stage.db.deleteFrom('idempotency_keys').execute()
      const again = await askToApprove(scene, 0, 'long-ago')
      const code = again.body?.error?.code
      if (code !== 'bounty_not_in_review') stage.violations.push(`answered ${again.status} ${code}`)
    },
  },
  {
    name: 'the process that has taken the request dies: the same key brings the same hashes from another',
    staging: { berths: [[[{ step: 'attempt sent', nth: 1, action: 'kill' }]], []] },
    async act(scene) {
      approveAll(scene, [0, 1, 2])
      await settled(scene, [0, 1, 2])
    },
  },
]

async function settled({ stage }: Parameters<Directed['act']>[0], submissions: number[]): Promise<void> {
  for (const submission of submissions) await payoutIs(stage, submission, 'settled')
}

/** First the first key alone, then the second alone. */
function keysByLife(keys: string[]): Record<string, string>[][] {
  return [[{ OPERATOR_PRIVATE_KEYS: keys[0]! }, { OPERATOR_PRIVATE_KEYS: keys[1]! }]]
}
