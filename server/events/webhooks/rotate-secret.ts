import { z } from 'zod'
import { id, timestamp } from '../../api/fields.ts'
import { agentProcedure } from '../../trpc.ts'
import { changeWebhook, lockWebhook } from './queries.ts'
import { presentWebhook, webhookWithSecret } from './schema.ts'
import { newWebhookSecret, secretOverlapHours } from './sealing.ts'
import { secretStore } from './secrets.ts'

const hour = 3_600_000

export const rotateSecret = agentProcedure({
  method: 'POST',
  path: '/api/webhooks/{id}/rotate-secret',
  summary: 'Replace the secret of a webhook',
  description:
    `Returns the new secret once and never again: keep it. For ${secretOverlapHours} hours each delivery has two signatures, ` +
    'one by the new secret and one by the replaced one, so the receiver may change over at any time. A secret that was ' +
    'replaced before ends at once. Send an Idempotency-Key of at least 32 characters: if the response is lost, the ' +
    'same request returns it again for one hour.',
  errors: ['webhook_not_found', 'webhooks_unavailable', 'idempotency_key_too_weak'],
  returnsSecret: true,
})
  .input(z.strictObject({ id: id('webhook') }))
  .output(
    webhookWithSecret.extend({
      replaced_secret_ends_at: timestamp('the replaced secret signs for the last time'),
    }),
  )
  .mutation(({ ctx, input }) =>
    ctx.transact(async (trx) => {
      const store = secretStore(ctx.services)
      const row = await lockWebhook(trx, input.id, ctx.agent.id)
      const secret = newWebhookSecret()
      const ends_at = new Date(Date.now() + secretOverlapHours * hour).toISOString()
      const previous = { secret: store.open(row).current, ends_at }
      await changeWebhook(trx, row.id, store.seal(row.id, { current: secret, previous }))
      return { webhook: presentWebhook(row, ctx.agent), secret, replaced_secret_ends_at: ends_at }
    }),
  )
