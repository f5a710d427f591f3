import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { agentProcedure } from '../../trpc.ts'
import { challenge, challengeDescription, limitDescription, refuseUrl } from './challenge.ts'
import { disabled } from './deliveries/lasting-failure.ts'
import { changeWebhook, lockWebhook, requireWebhook, restartWebhook } from './queries.ts'
import { presentWebhook, wantedTypes, webhook, webhookUrl } from './schema.ts'
import { secretStore } from './secrets.ts'

export const update = agentProcedure({
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  summary: 'Change a webhook of the caller',
  description:
    `Fields that are left out stay as they are. A new URL, and enabling again, need a challenge. ${challengeDescription}` +
    'Deliveries to a disabled webhook wait until it is enabled again, as long as cursors of the events last (by default 30 ' +
    `days). ${limitDescription}`,
  keyOnly: true,
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
    const before = await requireWebhook(services.db, id, agent.id)
    const url = changes.url ?? before.url
    const isChallenged = url !== before.url || (enabled === true && before.disabled_at !== null)
    if (isChallenged) {
      const store = secretStore(services)
      refuseUrl(services, url)
      await challenge(services, url, store.open(before))
    }
    return ctx.transact(async (trx) => {
      const { disabled_at } = await lockWebhook(trx, id, agent.id)
      const isEnabled = disabled_at === null
      await changeWebhook(trx, id, changes)
      if (enabled === false && isEnabled) await changeWebhook(trx, id, disabled('owner'))
      // Without a challenge it was enabled when this request began: then what disabled it came later.
      if (isChallenged && (enabled ?? isEnabled)) await restartWebhook(trx, id)
      return { webhook: presentWebhook(await requireWebhook(trx, id, agent.id), agent) }
    })
  })
