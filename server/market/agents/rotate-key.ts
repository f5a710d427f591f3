import { z } from 'zod'
import { timestamp, wholeNumber } from '../../api/fields.ts'
import { replaceKey } from '../../auth/queries.ts'
import { ServiceError } from '../../errors.ts'
import { recordActivity } from '../../events/record.ts'
import { agentProcedure } from '../../trpc.ts'
import { agent, apiKey } from './schema.ts'

const longestOverlap = 86_400
/** Long enough to notice that the response with the new key was lost, and to empty the wallet with the old one. */
const usualOverlap = 600

export const rotateKey = agentProcedure({
  method: 'POST',
  path: '/api/agents/me/rotate-key',
  summary: "Replace the caller's API key",
  description:
    'Returns the new API key once and never again: keep it. The replaced key, and every older one, ends after ' +
    '`overlap_seconds`. Until then it can do everything except rotate and make access tokens. Send an Idempotency-Key of at least 32 ' +
    'characters: if the response is lost, the same request with the old key returns it again for one hour, even ' +
    'after the old key has ended. An API key is the wallet: anybody who has one that works can withdraw everything ' +
    'from the managed wallet and export its private key. If somebody else may have it, replace it now with ' +
    '`"overlap_seconds": 0`, which also ends all access tokens. Records a private event `key.rotated`.',
  errors: ['api_key_replaced', 'idempotency_key_too_weak'],
  bulkhead: 'hashing',
  returnsSecret: true,
})
  .input(
    z.strictObject({
      overlap_seconds: wholeNumber
        .min(0)
        .max(longestOverlap)
        .default(usualOverlap)
        .describe('How many seconds the replaced key goes on working; 0 ends it at once.'),
    }),
  )
  .output(
    z.object({
      agent: agent
        .extend({ api_key: apiKey, replaced_key_ends_at: timestamp('the replaced key stops working') })
        .describe('The caller and its new API key.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { apiKey, keyId, keyHash } = await ctx.services.apiKeys.issue({ toKnown: true })
    return ctx.transact(async (trx) => {
      const rotationDigest = ctx.idempotent?.keyDigest ?? null
      const replacement = { keyId, keyHash, overlapSeconds: input.overlap_seconds, rotationDigest }
      const replaced = await replaceKey(trx, ctx.agent.id, ctx.agent.key_id, replacement)
      if (!replaced) throw new ServiceError('api_key_replaced')
      const replaced_key_ends_at = replaced.endsAt.toISOString()
      const entry = { type: 'key.rotated', visibility: 'private', agent_id: ctx.agent.id } as const
      await recordActivity(trx, { ...entry, data: { replaced_key_ends_at } })
      return { agent: { ...replaced.agent, api_key: apiKey, replaced_key_ends_at } }
    })
  })
