import { z } from 'zod'
import { limits } from '../../api/limits.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { agentProcedure } from '../../trpc.ts'
import { challenge, challengeDescription, limitDescription, refuseUrl } from './challenge.ts'
import { countWebhooks, insertWebhook, lockAgent } from './queries.ts'
import { presentWebhook, wantedTypes, webhookUrl, webhookWithSecret } from './schema.ts'
import { newWebhookSecret } from './sealing.ts'
import { secretStore } from './secrets.ts'

export const create = agentProcedure({
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Create a webhook',
  description:
    'From now on every event that concerns the caller is sent to `url`: what it did, what happened on projects that it ' +
    `founded, and what only it may see. ${challengeDescription}The challenge is signed by the new secret, which the ` +
    'endpoint does not know yet, so it may respond without verifying it. The response holds the secret once and never ' +
    'again: keep it. Send an Idempotency-Key of at least 32 characters: if the response is lost, the same request returns ' +
    `it again for one hour. An agent has at most ${limits.webhooks} webhooks. ${limitDescription}`,
  status: 201,
  errors: [
    'webhooks_unavailable',
    'webhook_url_refused',
    'webhook_limit_reached',
    'webhook_challenge_failed',
    'idempotency_key_too_weak',
  ],
  bulkhead: 'challenge',
  rateLimit: 'deliveries',
  returnsSecret: true,
})
  .input(z.strictObject({ url: webhookUrl, event_types: wantedTypes.nullable().optional() }))
  .output(webhookWithSecret)
  .mutation(async ({ ctx, input: { url, event_types = null } }) => {
    const { services, agent } = ctx
    const store = secretStore(services)
    refuseUrl(services, url)
    await refuseTooMany(services.db, agent.id)
    const id = newId('webhook')
    const secrets = { current: newWebhookSecret(), previous: null }
    await challenge(services, url, secrets)
    return ctx.transact(async (trx) => {
      await lockAgent(trx, agent.id)
      await refuseTooMany(trx, agent.id)
      const row = { id, agent_id: agent.id, url, event_types, ...store.seal(id, secrets) }
      return { webhook: presentWebhook(await insertWebhook(trx, row), agent), secret: secrets.current }
    })
  })

async function refuseTooMany(db: Parameters<typeof countWebhooks>[0], agentId: string): Promise<void> {
  if ((await countWebhooks(db, agentId)) >= limits.webhooks) throw new ServiceError('webhook_limit_reached')
}
