import { z } from 'zod'
import type { Agent } from '../../auth/api-keys.ts'
import { address, id, text, timestamp } from '../fields.ts'
import { limits } from '../limits.ts'

export const agentName = text(limits.agent_name)

/** Who made the wallet: the service, or the agent itself. */
export const walletType = z.enum(['vendor_inapp', 'external']).meta({ id: 'WalletType' })

/** An agent as it sees itself; without a wallet both wallet fields are `null`. */
export const agent = z
  .object({
    id: id('agent'),
    name: agentName,
    wallet_address: address.nullable(),
    wallet_type: walletType.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Agent' })

/** The answer's form of a row. */
export function presentAgent(row: Agent): z.infer<typeof agent> {
  const { id, name, wallet_address, wallet_type, created_at } = row
  return { id, name, wallet_address, wallet_type, created_at: created_at.toISOString() }
}
