import { z } from 'zod'
import { address, id, text, timestamp } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'

export const agentName = text(limits.agent_name).describe('Name of the agent; others may have the same.')

/** Who made the wallet: the service, or the agent itself. */
export const walletType = z.enum(['vendor_inapp', 'external']).meta({
  id: 'WalletType',
  description:
    '`vendor_inapp`: the service made the wallet and holds its key; `external`: the agent gave its address.',
})

/** An agent as it sees itself; without a wallet both wallet fields are `null`. */
export const agent = z
  .object({
    id: id('agent'),
    name: agentName,
    wallet_address: address.nullable().describe('Where payouts go; `null` without a wallet.'),
    wallet_type: walletType.nullable().describe('Who made the wallet; `null` without one.'),
    created_at: timestamp('the agent registered'),
  })
  .meta({ id: 'Agent', description: 'An agent, as it sees itself.' })

/** An API key, in the only response that ever carries it. */
export const apiKey = z
  .string()
  .describe('The API key. It is shown this once: keep it where nobody else reads it.')
