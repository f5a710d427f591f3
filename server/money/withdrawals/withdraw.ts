import type { Context } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { listPending, takenSince } from '../relays/holdings.ts'
import type { RelayRow } from '../relays/queries.ts'
import { withdrawalNonce } from '../relays/sign.ts'
import type { Source } from '../relays/source.ts'
import { readSigningState, startRelay } from '../relays/start.ts'
import { coinRefusal, tryCall } from '../relays/try-call.ts'
import { isBurnAddress, keyOfNobody, refuseReservedAddress } from '../wallets/reserved-address.ts'
import { draftWithdrawal } from './draft.ts'
import { findByNonce } from './queries.ts'
import { digestOf, ensureSensible, type WithdrawalRequest } from './request.ts'

/**
 * Begins a withdrawal of tokens or dollars, once for an Idempotency-Key, or finds the one that has begun with it.
 * @param findSource what it is withdrawn from
 * @throws ServiceError `idempotency_key_required`, `idempotency_key_reused`, `validation_failed`, `reserved_address`, and those of
 * `draftWithdrawal`, `readSigningState` and `startRelay`
 */
export async function withdraw<Response>(
  ctx: Context & { agent: { id: string } },
  findSource: () => Promise<Source>,
  request: WithdrawalRequest,
  present: (row: RelayRow) => Response,
): Promise<Response> {
  const { db } = ctx.services
  const { idempotent } = ctx
  if (!idempotent) throw new ServiceError('idempotency_key_required')
  const source = await findSource()
  const { chain, wallet } = source
  const nonce = withdrawalNonce(chain.id, ctx.agent.id, idempotent.keyDigest)
  const requestDigest = digestOf(request)
  const known = await findByNonce(db, { chainId: chain.id, wallet, nonce })
  if (known && !known.request_digest?.equals(requestDigest)) throw new ServiceError('idempotency_key_reused')
  // The key stays good permanently, and the response says what became of the withdrawal.
  const keepKey = (trx: Database) => idempotent.storeResume(trx, { nonce })
  if (known) {
    if (!idempotent.resume) await keepKey(db)
    return present(known)
  }

  ensureSensible(request, wallet)
  if (isBurnAddress(request.to)) throw new ServiceError('recipient_refused', keyOfNobody)
  await refuseReservedAddress(ctx.services, request.to)
  // Before the newest block: one that ends in between is missing in the balance of that block, too.
  const pending = await listPending(db, ctx.agent.id)
  const state = await readSigningState(ctx, source, 'withdrawal')
  const { room, ...draft } = await draftWithdrawal(source, request, { head: state.head, nonce, pending })
  const asEth = request.as === 'eth'
  const terms = { kind: 'withdrawal', nonce, requestDigest, recipientAsGiven: request.to, asEth } as const
  return startRelay(
    ctx,
    source,
    state,
    {
      ...terms,
      ...draft,
      async confirm(call) {
        const refusal = source.dollar && coinRefusal(await tryCall(chain, call, state.head))
        if (refusal) throw refusal
      },
      async check(trx) {
        if ((await takenSince(trx, ctx.agent.id, source, pending)) > room)
          throw new ServiceError('insufficient_balance', 'Other requests have taken what is in the wallet.')
        await keepKey(trx)
      },
    },
    present,
  )
}
