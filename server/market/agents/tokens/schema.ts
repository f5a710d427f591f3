import { z } from 'zod'
import { id, text, timestamp } from '../../../api/fields.ts'

const longestLabel = 100

/** Most tokens of an agent. */
export const mostTokens = 10

/** What may be chosen for a new token. */
export const tokenLabel = text(longestLabel).describe('A name by which you know it again.')
export const tokenScope = z.enum(['work', 'read']).describe('`read` allows GET alone.')

/** An access token without its secret. */
export const accessToken = z
  .object({
    id: id('token'),
    label: tokenLabel,
    scope: tokenScope,
    expires_at: timestamp('it expires'),
  })
  .meta({ id: 'AccessToken', description: 'An access token of the caller.' })
