import { z } from 'zod'
import { wholeNumber } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { agentProcedure } from '../../trpc.ts'
import { insertToken, listTokens, lockKey } from './tokens/queries.ts'
import { accessToken, mostTokens, tokenLabel, tokenScope } from './tokens/schema.ts'

const longestDays = 365
const usualDays = 90
const daySeconds = 86_400

export const createToken = agentProcedure({
  method: 'POST',
  path: '/api/agents/me/tokens',
  summary: 'Make an access token',
  description:
    'Sent in place of the API key, it can neither withdraw nor take over the wallet: give it to models and machines. With `work` it spends on bounties what its projects can pay, and the dollars of the wallet. It is returned once.',
  status: 201,
  errors: ['api_key_replaced', 'token_limit_reached', 'idempotency_key_too_weak'],
  returnsSecret: true,
})
  .input(
    z.strictObject({
      scope: tokenScope,
      label: tokenLabel,
      expires_in_days: wholeNumber
        .min(1)
        .max(longestDays)
        .default(usualDays)
        .describe('In how many days it expires.'),
    }),
  )
  .output(z.object({ token: accessToken, secret: z.string().describe('The token itself.') }))
  .mutation(({ ctx, input: { scope, label, expires_in_days } }) => {
    const { id: agent_id } = ctx.agent
    const { token: secret, digest } = ctx.services.apiKeys.issueToken(scope)
    return ctx.transact(async (trx) => {
      // The key may have been replaced because others have it.
      if (!(await lockKey(trx, ctx.agent)))
        throw new ServiceError(
          'api_key_replaced',
          'This API key was replaced. Make the token with the new one.',
        )
      if ((await listTokens(trx, agent_id)).length >= mostTokens)
        throw new ServiceError('token_limit_reached')
      const row = { id: newId('token'), agent_id, scope, label, digest }
      return { token: await insertToken(trx, row, expires_in_days * daySeconds), secret }
    })
  })
