import { z } from 'zod'
import { lockPositions } from '../../engines/event-log/sequence.ts'
import { disableWebhook } from '../../engines/webhooks/disable.ts'
import { endPending, makeDue } from '../../engines/webhooks/store.ts'
import { ServiceError } from '../../errors.ts'
import { agentProcedure } from '../../trpc.ts'
import { id } from '../fields.ts'
import { challenge, challengeDescription, limitDescription, refuseUrl } from './challenge.ts'
import { changeWebhook, findWebhook, lockWebhook, restartWebhook, type WebhookRow } from './queries.ts'
import { presentWebhook, wantedTypes, webhook, webhookUrl } from './schema.ts'
import { secretStore } from './secrets.ts'

/** Changes a webhook of the caller. */
export const update = agentProcedure({
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  summary: 'Change a webhook of the caller',
  description:
    `Fields that are left out stay as they are. A new URL, and enabling again, need a challenge. ${challengeDescription}` +
    'Disabling ends pending deliveries as `failed`, and events from then on are not sent: after enabling again, replay ' +
    `after \`replay_after\`. ${limitDescription}`,
  errors: ['webhook_not_found', 'webhooks_unavailable', 'webhook_url_refused', 'webhook_challenge_failed'],
  bulkhead: 'challenge',
  rateLimit: 'deliveries',
})
  .input(
    z.strictObject({
      id: id('webhook'),
      url: webhookUrl.optional(),
      event_types: wantedTypes
        .describe('Types of events that it gets; `null`: every type. Stays if left out.')
        .nullable()
        .optional(),
      enabled: z.boolean().optional().describe('Whether events are sent to it.'),
    }),
  )
  .output(z.object({ webhook }))
  .mutation(async ({ ctx, input }) => {
    const { services, agent } = ctx
    const { id, enabled, ...changes } = input
    const before = known(await findWebhook(services.db, id, agent.id))
    const url = changes.url ?? before.url
    const isChallenged = url !== before.url || (enabled === true && before.disabled_at !== null)
    if (isChallenged) {
      const store = secretStore(services)
      refuseUrl(services, url)
      await challenge(services, url, store.open(before))
      // Deliveries may be many: they change before the webhook is locked, because the sequencer waits for it.
      await (before.disabled_at ? endPending(services.db, id) : makeDue(services.db, id))
    }
    const response = await ctx.transact(async (trx) => {
      // While this lock is held nothing is sequenced, so every later entry finds the webhook enabled.
      if (enabled && isChallenged) await lockPositions(trx)
      const current = known(await lockWebhook(trx, id, agent.id))
      await changeWebhook(trx, id, changes)
      if (enabled === false) await disableWebhook(trx, id, 'owner')
      // Without a challenge it was enabled when this request began: then what disabled it came later.
      else if (isChallenged && (enabled || !current.disabled_at)) await restartWebhook(trx, id)
      return { webhook: presentWebhook(known(await findWebhook(trx, id, agent.id))) }
    })
    if (enabled === false) await endPending(services.db, id)
    return response
  })

function known(row: WebhookRow | undefined): WebhookRow {
  if (!row) throw new ServiceError('webhook_not_found')
  return row
}
