import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { requireProject } from '../../api/require-project.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { lockBounty, readSituation } from '../../lifecycle/situation.ts'
import { fromDollars } from '../../money/chain/units.ts'
import { requireDollarsOf, tryFund } from '../../money/deposits/checks.ts'
import { bountyDollars, presentDollars, wantedDollars } from '../../money/deposits/schema.ts'
import { findDeposit, requireFundable } from '../../money/deposits/store.ts'
import { depositOf } from '../../money/deposits/terms.ts'
import { beginOrder } from '../../money/orders/move.ts'
import { listPending, takenSince } from '../../money/relays/holdings.ts'
import { dollarSource, requireDollars } from '../../money/relays/source.ts'
import { readSigningState, relayErrors, startRelay } from '../../money/relays/start.ts'
import { isManagedWallet } from '../../money/wallets/managed-wallet.ts'
import { agentProcedure } from '../../trpc.ts'
import { requireOwnBounty } from '../bounties/require-bounty.ts'

export const lock = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/dollars',
  summary: 'Lock dollars for a bounty',
  description:
    'Founder only, while the bounty is `open`, once in its life. The platform wallet holds the dollars and pays them with the ' +
    'tokens, minus the platform fee, or returns them: when you cancel the bounty, or when the lock ends after 180 days. The managed wallet signs; where ' +
    'another wallet funds the project, sign `to_sign` of `GET /api/bounties/{id}/dollars?amount=` with it, and send ' +
    '`valid_before` and `signature`. The service sends it and pays the gas. Returns at once: read the dollars until they are `locked` or ' +
    '`failed`. `deposits_per_day` of the public configuration limits deposits.',
  status: 201,
  errors: [
    'bounty_not_found',
    'not_founder',
    'bounty_not_open',
    'dollars_exist',
    'dollars_unavailable',
    'dollars_above_cap',
    'insufficient_dollars',
    'authorization_invalid',
    'deposit_limit_reached',
    ...relayErrors,
  ],
  bulkhead: 'external',
})
  .input(
    z.strictObject({
      id: id('bounty'),
      amount: wantedDollars.describe('Dollars, from `1.00`.'),
      valid_before: z
        .int()
        .optional()
        .describe('`message.validBefore` of what was signed; only with `signature`.'),
      signature: z
        .string()
        .regex(/^0x([0-9a-fA-F]{2}){64,4096}$/, 'must be a signature in hex')
        .meta({ example: `0x${'5c'.repeat(65)}` })
        .describe('Of the wallet that funds the project, where that is not the managed one.')
        .optional(),
    }),
  )
  .output(z.object({ dollars: bountyDollars }))
  .mutation(async ({ ctx, input }) => {
    const { db, config } = ctx.services
    const asked = { id: input.id, caller: ctx.agent.id }
    const bounty = requireOwnBounty(await readSituation(db, asked), ctx.agent.id)
    const { chain } = requireDollars(ctx)
    requireFundable(bounty, await findDeposit(db, bounty.id))
    const project = await requireProject(db, bounty.project_id)
    const wallet = project.founder_wallet as string
    const { signature } = input
    await requireSigner(ctx, wallet, input)
    const source = dollarSource(ctx, wallet, project)
    const { nonce, ...of } = depositOf(chain, bounty.id, project.token_address as string)
    const amount = fromDollars(input.amount)
    // Before the newest block, as for withdrawals.
    const pending = await listPending(db, ctx.agent.id)
    const state = await readSigningState(ctx, source, 'deposit', signature !== undefined)
    const validBefore = input.valid_before ?? state.validBefore
    requireTimely(validBefore, state)
    const room = await requireDollarsOf(source, amount, { head: state.head, pending })
    const order = {
      bounty_id: bounty.id,
      agent_id: ctx.agent.id,
      project_id: project.id,
      payout_id: of.payoutId,
      chain_id: chain.id,
      platform_wallet: chain.platformWallet.toLowerCase(),
      amount: String(amount),
    }
    const request = { kind: 'deposit', amount, nonce, validBefore, requestDigest: null } as const
    return startRelay(
      ctx,
      source,
      state,
      {
        ...request,
        recipientAsGiven: chain.platformWallet,
        deposit: { of, signature: signature as `0x${string}` | undefined },
        confirm: (call) => tryFund(chain, call, state.head),
        async check(trx) {
          if ((await takenSince(trx, ctx.agent.id, source, pending)) > room)
            throw new ServiceError(
              'insufficient_dollars',
              'Other requests have taken the dollars of the wallet.',
            )
          await lockBounty(trx, bounty.id)
          const locked = requireOwnBounty(await readSituation(trx, asked), ctx.agent.id)
          requireFundable(locked, await findDeposit(trx, bounty.id))
        },
        stored: (trx, relay_id) => beginOrder(trx, 'deposit', { ...order, relay_id }),
      },
      () => {
        const begun = { amount: order.amount, status: 'queued', locked_until: null, fund_tx: null } as const
        return { dollars: presentDollars(bounty, { ...begun, end_tx: null, error_code: null }, config) }
      },
    )
  })

/** Either the managed wallet funds the project, or its own wallet has signed. @throws ServiceError `validation_failed` */
async function requireSigner(
  { services, agent }: Context & { agent: { id: string } },
  wallet: string,
  { signature, valid_before }: { signature?: string | undefined; valid_before?: number | undefined },
): Promise<void> {
  const isWhole = (signature === undefined) === (valid_before === undefined)
  if (isWhole && (signature !== undefined || (await isManagedWallet(services.db, agent.id, wallet)))) return
  const path = signature === undefined ? 'signature' : 'valid_before'
  const message = isWhole
    ? 'is required: a wallet of your own funds this project; sign `to_sign` of GET /api/bounties/{id}/dollars?amount='
    : 'belongs to the other one: send both or neither'
  throw new ServiceError('validation_failed', `${path}: ${message}.`, { issues: [{ path, message }] })
}

/** Seconds that are left at least to send a signature. */
const leastSeconds = 60

/** @throws ServiceError `authorization_invalid` */
function requireTimely(
  validBefore: number,
  { validBefore: latest, now }: { validBefore: number; now: number },
) {
  if (validBefore <= latest && validBefore >= now + leastSeconds) return
  throw new ServiceError(
    'authorization_invalid',
    `valid_before has to lie between ${now + leastSeconds} and ${latest}: sign \`to_sign\` of GET /api/bounties/{id}/dollars?amount= anew.`,
  )
}
