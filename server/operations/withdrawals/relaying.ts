import { type Address, parseEther, parseGwei } from 'viem'
import { chainAddress } from '../../chain/address.ts'
import { takesAuthorizations } from '../../chain/authorizations.ts'
import { type Chain, reachable } from '../../chain/chain.ts'
import { readGasBalances } from '../../chain/gas.ts'
import { projectToken } from '../../chain/generated/contracts.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { violatedConstraint } from '../../db/transaction.ts'
import { emitStep } from '../../engines/events.ts'
import { gasCeiling } from '../../engines/relays/handler.ts'
import { recordRelay } from '../../engines/relays/settle.ts'
import { signRelay } from '../../engines/relays/sign.ts'
import { insertRelay, type NewRelay } from '../../engines/relays/store.ts'
import { capFees } from '../../engines/transactions/send/fees.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { openManagedWallet } from '../agents/managed-wallet.ts'
import { findManagedWallet } from '../agents/queries.ts'
import { countToday, databaseTime, lockGasReserved, lockManagedWallet, type RelayProject } from './queries.ts'

/** How long a signature can be used, in seconds. */
const validSeconds = 900

/** A token and the managed wallet that signs for it. */
export interface Source {
  chain: Chain
  project: RelayProject
  token: Address
  curve: Address
  wallet: Address
}

/** @throws ServiceError `token_not_deployed`, `wallet_not_managed`, `chain_not_configured`, `chain_unreachable` */
export async function sourceOf(ctx: Context, project: RelayProject, agentId: string): Promise<Source> {
  const { token_address: token, curve_address: curve } = project
  if (token === null || curve === null) throw new ServiceError('token_not_deployed')
  const wallet = await findManagedWallet(ctx.services.db, agentId)
  if (!wallet) throw new ServiceError('wallet_not_managed')
  const chain = ctx.services.chain.require()
  return {
    chain,
    project,
    token: chainAddress(token),
    curve: chainAddress(curve),
    wallet: chainAddress(wallet.address),
  }
}

/** What a new signature needs from the chain. */
export interface Moment {
  /** The newest block. */
  head: bigint
  /** Block time in seconds from which on the signature is refused. */
  validBefore: number
  gasReservedWei: bigint
  /** Of the token, as in its EIP-712 domain. */
  tokenName: string
}

/**
 * Makes sure that the service signs and sends relays now.
 * @throws ServiceError `withdrawals_disabled`, `wallet_generation_unavailable`, `token_without_authorizations`,
 * `withdrawals_unavailable`, `chain_unreachable`
 */
export async function ensureRelaying({ services }: Context, { chain, token }: Source): Promise<Moment> {
  const { config, wallets } = services
  if (!config.WITHDRAWALS_ENABLED) throw new ServiceError('withdrawals_disabled')
  if (!wallets) throw new ServiceError('wallet_generation_unavailable')
  const { client } = chain
  if (!(await reachable(() => takesAuthorizations(chain, token))))
    throw new ServiceError('token_without_authorizations')
  const signedAt = await databaseTime(services.db)
  const [block, fees, gas, tokenName] = await reachable(() =>
    Promise.all([
      client.getBlock(),
      client.estimateFeesPerGas(),
      readGasBalances(chain),
      client.readContract({ abi: projectToken.abi, address: token, functionName: 'name' }),
    ]),
  )
  if (gas.every(({ payouts }) => payouts < config.LOW_GAS_PAYOUTS))
    throw new ServiceError('withdrawals_unavailable')
  const highest = parseGwei(String(config.MAX_FEE_GWEI))
  const { maxFeePerGas } = capFees(fees, highest)
  // The newest block of a chain that makes blocks on demand may be hours old. One clock for all processes: a signature must
  // not outlive another one that was made later with the same nonce.
  const now = Math.max(Number(block.timestamp), signedAt)
  return {
    head: block.number,
    validBefore: now + validSeconds,
    gasReservedWei: maxFeePerGas * gasCeiling,
    tokenName,
  }
}

/** A relay of the caller, ready to be signed. */
export function relayOf(
  { agent }: { agent: { id: string } },
  { chain, project, token, curve, wallet }: Source,
  { head, validBefore, gasReservedWei }: Moment,
  terms: Pick<
    NewRelay,
    'kind' | 'amount' | 'minEth' | 'recipientAsGiven' | 'asEth' | 'nonce' | 'requestDigest'
  >,
): NewRelay {
  const id = newId(terms.kind === 'permit' ? 'allowance' : 'withdrawal')
  const ofSource = { agentId: agent.id, projectId: project.id, chainId: chain.id, token, curve, wallet }
  const recipient = chainAddress(terms.recipientAsGiven)
  return { id, ...ofSource, ...terms, recipient, headBlock: Number(head), validBefore, gasReservedWei }
}

/** What carries a signature to the chain. */
type Call = Awaited<ReturnType<typeof signRelay>>

/**
 * Signs a relay. The signature leaves the process only with the stored transaction, when an operator key sends it: a
 * request that fails in between has given nothing away.
 * @throws ServiceError `wallet_generation_unavailable`, `unavailable` while the master key is rotated
 */
export async function sign({ services }: Context, relay: NewRelay, tokenName: string): Promise<Call> {
  const { privateKey } = await openManagedWallet(services, relay.agentId)
  const call = await signRelay(privateKey, relay, tokenName)
  emitStep('signature made', relay.id)
  return call
}

/** What the caller is told when another request was faster, by the constraint that says so. */
const takenBy: Record<string, ErrorCode> = {
  relays_one_nonce: 'idempotency_in_progress',
  relays_one_permit: 'allowance_in_progress',
}

/**
 * Stores a relay with the response of its request, and wakes the loops that carry it out.
 * @param respond reads the stored relay in the transaction that stores it
 * @throws ServiceError as {@link storeRelay}, `idempotency_in_progress`, `allowance_in_progress`
 */
export async function startRelay<Response>(
  ctx: Context,
  relay: NewRelay,
  call: Call | null,
  respond: (trx: Database) => Promise<Response>,
  check?: (trx: Database) => Promise<void>,
): Promise<Response> {
  const response = await ctx
    .transact(async (trx) => {
      await storeRelay(ctx, trx, relay, call, check)
      return respond(trx)
    })
    .catch((error) => {
      const code = takenBy[violatedConstraint(error) ?? '']
      throw code ? new ServiceError(code) : error
    })
  emitStep('intent stored', relay.id)
  ctx.services.wake()
  return response
}

/**
 * Stores a relay in the caller's transaction. The agent's other relays wait for that, so limits are exact.
 * @param call null if the chain has used the nonce already
 * @param check called when nobody else can store a relay of this agent
 * @throws ServiceError `withdrawal_limit_reached`, `withdrawals_unavailable`
 */
async function storeRelay(
  { services: { config } }: Context,
  trx: Database,
  relay: NewRelay,
  call: Call | null,
  check?: (trx: Database) => Promise<void>,
): Promise<void> {
  await lockManagedWallet(trx, relay.agentId)
  const { count, freeInSeconds } = await countToday(trx, relay.agentId, config.WITHDRAWALS_PER_DAY)
  if (count >= config.WITHDRAWALS_PER_DAY)
    throw new ServiceError(
      'withdrawal_limit_reached',
      `The caller has made its ${config.WITHDRAWALS_PER_DAY} withdrawals and changes of an allowance of 24 hours.`,
      { retryAfter: freeInSeconds },
    )
  await check?.(trx)
  // What the chain has made already costs no gas.
  const gasReservedWei = call ? relay.gasReservedWei : 0n
  const reserved = (await lockGasReserved(trx)) + gasReservedWei
  if (reserved > parseEther(config.WITHDRAWAL_GAS_ETH_PER_DAY))
    throw new ServiceError('withdrawals_unavailable')
  await insertRelay(trx, { ...relay, gasReservedWei }, call)
  const { id, kind, agentId: agent_id, projectId: project_id } = relay
  await recordRelay(trx, 'requested', { id, kind, agent_id, project_id })
}
