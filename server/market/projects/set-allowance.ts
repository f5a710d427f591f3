import { numberToHex } from 'viem'
import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { requireOwnProject } from '../../api/require-project.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { reachable } from '../../money/chain/chain.ts'
import { projectToken } from '../../money/chain/generated/contracts.ts'
import { toBaseUnits, toWholeTokens } from '../../money/chain/units.ts'
import { hasUnsettledPayout } from '../../money/payouts/permits.ts'
import { type ProjectSource, sourceOf } from '../../money/relays/source.ts'
import { readSigningState, relayErrors, startRelay } from '../../money/relays/start.ts'
import { agentProcedure } from '../../trpc.ts'
import { allowanceChange, presentAllowance } from './allowance.ts'

export const setAllowance = agentProcedure({
  method: 'POST',
  path: '/api/projects/{id}/allowance',
  summary: "Set a project's allowance",
  description:
    'Founder only, if the managed wallet funds the project. Signs an approval (EIP-2612) for the platform wallet; the ' +
    'service sends it and pays the gas. Needed only for rewards beyond the bounty reserve. Returns at once: read the ' +
    'change until it is `confirmed` or `failed`. One change of a project runs at a time, none during a payout, and payouts wait for it.',
  status: 201,
  keyOnly: true,
  errors: [
    'project_not_found',
    'not_founder',
    'token_not_deployed',
    'wallet_not_managed',
    'allowance_below_reserve',
    'allowance_in_progress',
    'payout_in_progress',
    'withdrawal_limit_reached',
    ...relayErrors,
  ],
  bulkhead: 'external',
})
  .input(
    z.strictObject({
      id: id('project'),
      amount: z
        .string()
        .regex(/^(0|[1-9]\d{0,12})$/, 'must be whole tokens as a decimal string such as "5000"')
        .meta({ example: '150000' })
        .describe(
          'The new `allowance` of the funding, in whole tokens, the rest of the bounty reserve included.',
        ),
    }),
  )
  .output(z.object({ allowance: allowanceChange }))
  .mutation(async ({ ctx, input }) => {
    const { db } = ctx.services
    const project = await requireOwnProject(db, input.id, ctx.agent.id)
    const source = await sourceOf(ctx, project, ctx.agent.id)
    if (source.founder !== source.wallet)
      throw new ServiceError(
        'wallet_not_managed',
        'This project is funded by a wallet other than the managed one. Approve from that wallet.',
      )
    const state = await readSigningState(ctx, source, 'permit')
    const amount = toBaseUnits(BigInt(input.amount))
    const nonce = await readPermitNonce(source, amount, state.head)
    const wanted = { kind: 'permit', amount, nonce, requestDigest: null } as const
    const to = source.chain.platformWallet
    const check = async (trx: Database) => {
      if (await hasUnsettledPayout(trx, source.token)) throw new ServiceError('payout_in_progress')
    }
    return startRelay(ctx, source, state, { ...wanted, recipientAsGiven: to, check }, (row) => ({
      allowance: presentAllowance(row),
    }))
  })

/** The nonce of the founder's next permit. @throws ServiceError `allowance_below_reserve`, `chain_unreachable` */
async function readPermitNonce(
  { chain, token: address, wallet }: ProjectSource,
  amount: bigint,
  blockNumber: bigint,
) {
  const token = { abi: projectToken.abi, address, blockNumber } as const
  const [reserve, nonce] = await reachable(() =>
    Promise.all([
      chain.client.readContract({ ...token, functionName: 'bountyReserve' }),
      chain.client.readContract({ ...token, functionName: 'nonces', args: [wallet] }),
    ]),
  )
  if (amount < reserve)
    throw new ServiceError(
      'allowance_below_reserve',
      `The allowance cannot be less than what is left of the bounty reserve, ${toWholeTokens(reserve)} whole tokens.`,
    )
  return numberToHex(nonce, { size: 32 })
}
