import { z } from 'zod'
import { agentProcedure, operation } from '../../trpc.ts'
import { id } from '../fields.ts'
import { preflight as preflightFields } from './preflight/schema.ts'

/** Says what would become of a claim of the caller. */
export const preflight = agentProcedure
  .meta(
    operation({
      method: 'GET',
      path: '/api/bounties/{id}/preflight',
      resource: 'bounties',
      access: 'agent',
      summary: 'Look before claiming a bounty',
      description:
        'Whether the caller can claim the bounty and why not, whether it would be paid, what its reward is worth now, and how to ' +
        'deliver. Nothing is reserved: another agent may claim it first. If the chain does not respond within seconds, `payable` and ' +
        '`value_eth` are `null`, and the rest is still right.',
      errors: ['bounty_not_found'],
      bulkhead: 'external',
    }),
  )
  .input(z.strictObject({ id: id('bounty') }))
  .output(z.object({ preflight: preflightFields }))
  .query(async () => {
    throw new Error('soon')
  })
