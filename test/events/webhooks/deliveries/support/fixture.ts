import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach } from 'vitest'
import { createWalletVault } from '../../../../../server/crypto/wallet-vault.ts'
import { sequenceEntries } from '../../../../../server/events/log/sequence.ts'
import { recordActivity } from '../../../../../server/events/record.ts'
import { createEndpoints } from '../../../../../server/events/webhooks/deliveries/endpoint.ts'
import {
  startWebhooks,
  type WebhooksOptions,
} from '../../../../../server/events/webhooks/deliveries/worker.ts'
import {
  newWebhookSecret,
  sealSecrets,
  type WebhookSecrets,
} from '../../../../../server/events/webhooks/sealing.ts'
import { newId } from '../../../../../server/ids.ts'
import type { Worker } from '../../../../../server/loops/rounds.ts'
import { openTestDatabase } from '../../../../support/database.ts'
import { createRows } from '../../../../support/rows.ts'

/** The master key of the fixture, for processes of their own. */
export const masterKey = 'the master key of the webhooks of the tests'

/** A database with agents, webhooks and events, and workers on it that end with their test. */
export async function createFixture() {
  const { db, url } = await openTestDatabase({ size: 10 })
  const rows = createRows(db)
  const vault = createWalletVault(masterKey, 1)
  const lines: { level: number; msg: string; webhookId?: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const workers: Worker[] = []
  const stop = () => Promise.all(workers.splice(0).map((worker) => worker.stop()))
  afterEach(async () => {
    await stop()
    await db.deleteFrom('webhooks').execute()
    lines.length = 0
  })
  return {
    db,
    url,
    vault,
    lines,
    stop,
    /** A new agent with a webhook. */
    async webhook(url: string, secrets: WebhookSecrets = { current: newWebhookSecret(), previous: null }) {
      const id = newId('webhook')
      const agentId = await rows.agent()
      const sealed = sealSecrets(vault, id, secrets)
      await db
        .insertInto('webhooks')
        .values({ id, agent_id: agentId, url, ...sealed })
        .execute()
      return { id, agentId, secrets }
    },
    /** Records an event of an agent and gives it its position, which makes its deliveries. Returns its id. */
    async event(agentId: string) {
      await recordActivity(db, { type: 'agent.registered', agent_id: agentId })
      await sequenceEntries(db, 1000)
      const { id } = await db
        .selectFrom('activity')
        .where('agent_id', '=', agentId)
        .where('type', '=', 'agent.registered')
        .orderBy('seq', 'desc')
        .select('id')
        .executeTakeFirstOrThrow()
      return id
    },
    /** Starts the loops of one more process. */
    work(changes: Partial<WebhooksOptions> & { timeoutMs?: number } = {}) {
      const { timeoutMs = 15_000, ...options } = changes
      const worker = startWebhooks({
        db,
        endpoints: createEndpoints({ allowLoopback: true, timeoutMs }),
        vault,
        log,
        timing: { webhooksMs: 20, webhookLeaseSeconds: 60 },
        ...options,
      })
      workers.push(worker)
      return worker
    },
    row: (id: string) => db.selectFrom('webhooks').where('id', '=', id).selectAll().executeTakeFirstOrThrow(),
    deliveries: (webhookId: string) =>
      db
        .selectFrom('webhook_deliveries')
        .where('webhook_id', '=', webhookId)
        .orderBy('position')
        .selectAll()
        .select(sql<number>`extract(epoch from next_attempt_at - last_attempt_at)::float8`.as('pause'))
        .execute(),
    /** Lets `seconds` pass for a webhook: all its times lie so much further back. */
    async pass(webhookId: string, seconds: number) {
      const earlier = (column: string) => sql`${sql.ref(column)} - make_interval(secs => ${seconds})`
      await sql`
        with deliveries as (
          update webhook_deliveries set next_attempt_at = ${earlier('next_attempt_at')},
            last_attempt_at = ${earlier('last_attempt_at')} where webhook_id = ${webhookId})
        update webhooks set due_at = ${earlier('due_at')}, failing_since = ${earlier('failing_since')},
          warned_at = ${earlier('warned_at')} where id = ${webhookId}`.execute(db)
    },
    privateEvents: async (agentId: string) =>
      (
        await db
          .selectFrom('activity')
          .where('agent_id', '=', agentId)
          .where('visibility', '=', 'private')
          .orderBy('seq')
          .select(['type', 'data'])
          .execute()
      ).map(({ type, data }) => [type, data]),
  }
}
