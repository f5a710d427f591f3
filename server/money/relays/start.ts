import type { Hex } from 'viem'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { chainErrors } from '../../lifecycle/declared-errors.ts'
import { emitStep } from '../../loops/crash-steps.ts'
import { chainAddress } from '../chain/address.ts'
import { type DepositOf, encodeFund } from '../chain/authorizations.ts'
import { type Chain, reachable } from '../chain/chain.ts'
import { projectToken } from '../chain/generated/contracts.ts'
import { countToday, exceedsGasBudget, readGasPrice } from '../gas-budget.ts'
import { openManagedWallet } from '../wallets/managed-wallet.ts'
import { gasCeiling } from './handler.ts'
import { databaseTime, findRelay, findRunning, lockManagedWallet, type RelayRow } from './queries.ts'
import { recordRelay } from './settle.ts'
import { signRelay } from './sign.ts'
import type { Source } from './source.ts'
import { insertRelay, type NewRelay, type RelayTerms } from './store.ts'
import type { Call } from './try-call.ts'

const idKinds = { withdrawal: 'withdrawal', permit: 'allowance', deposit: 'deposit' } as const

/** What the service's signing and sending of a relay can be refused with, whatever it moves. */
export const relayErrors = [
  'withdrawals_disabled',
  'withdrawals_unavailable',
  'wallet_generation_unavailable',
  ...chainErrors,
] as const

/** How long a signature can be used, in seconds. Payouts wait for a permit until it is made, or a final block is past its time. */
const validSeconds = { withdrawal: 900, permit: 300, deposit: 900 }

/** What a new signature needs from the chain. */
export interface SigningState {
  /** The newest block. */
  head: bigint
  /** The time in seconds. */
  now: number
  /** Block time in seconds from which on the signature is refused. */
  validBefore: number
  /** Most that sending it can cost. */
  gasReservedWei: bigint
  /** Of the token's EIP-712 domain. */
  domain: { name: string; version: string }
  /** When the reads began: a relay that was stored later may have changed what they showed. */
  readAt: Date
}

/**
 * Makes sure that the service signs and sends relays now and that no other one runs, and reads what a signature needs.
 * @throws ServiceError `withdrawals_disabled`, `wallet_generation_unavailable`, `withdrawal_in_progress`, `allowance_in_progress`,
 * `withdrawals_unavailable`, `chain_unreachable`
 */
export async function readSigningState(
  { services }: Context,
  { chain, token, wallet, dollar }: Source,
  kind: RelayTerms['kind'],
  isSigned = false,
): Promise<SigningState> {
  const { config, wallets } = services
  if (!config.WITHDRAWALS_ENABLED) throw new ServiceError('withdrawals_disabled')
  if (!wallets && !isSigned) throw new ServiceError('wallet_generation_unavailable')
  const readAt = await databaseTime(services.db)
  await refuseSecond(services.db, { kind, chainId: chain.id, wallet, token }, readAt)
  const { client } = chain
  const [block, gas, name] = await reachable(() =>
    Promise.all([
      client.getBlock(),
      readGasPrice(chain, gasCeiling, config),
      dollar?.name ?? client.readContract({ abi: projectToken.abi, address: token, functionName: 'name' }),
    ]),
  )
  if (gas.isKept) throw new ServiceError('withdrawals_unavailable')
  const now = nowOf(block, readAt)
  return {
    head: block.number,
    now,
    validBefore: now + validSeconds[kind],
    gasReservedWei: gas.mostWei,
    domain: { name, version: dollar?.version ?? '1' },
    readAt,
  }
}

/**
 * The newest block of a chain that makes blocks on demand may be hours old. One clock for all processes: a signature must not outlive
 * another one that was made later with the same nonce.
 */
function nowOf(block: { timestamp: bigint }, readAt: Date): number {
  return Math.max(Number(block.timestamp), Math.floor(readAt.getTime() / 1000))
}

/** Until when a deposit can be used that is signed now. @throws ServiceError `chain_unreachable` */
export async function readValidBefore({ services }: Context, { client }: Chain): Promise<number> {
  const readAt = await databaseTime(services.db)
  return nowOf(await reachable(() => client.getBlock()), readAt) + validSeconds.deposit
}

/** What a relay is to do. */
export interface RelayRequest
  extends Pick<NewRelay, 'kind' | 'amount' | 'nonce' | 'recipientAsGiven' | 'requestDigest'> {
  asEth?: boolean
  minEth?: bigint
  /** What was signed elsewhere: the end of its validity. */
  validBefore?: number
  /** The bounty of a deposit, and its signature, unless the managed wallet gives it. */
  deposit?: { of: DepositOf; signature?: Hex | undefined }
  /** Tries the call before it is stored. */
  confirm?(call: Call): Promise<void>
  /** Runs in the transaction that stores the relay, when nobody else can store one of this agent. */
  check?(trx: Database): Promise<void>
  /** Runs there when it is stored. */
  stored?(trx: Database, relayId: string): Promise<void>
}

/**
 * Signs and stores a relay, and wakes the loops that carry it out. The signature leaves the process only with the stored
 * transaction, when an operator key sends it: a request that fails in between has given nothing away.
 * @returns the response, which is stored with the relay
 * @throws ServiceError `wallet_generation_unavailable`, `unavailable` while the master key is rotated,
 * `withdrawal_in_progress`, `allowance_in_progress`, `withdrawal_limit_reached`, `deposit_limit_reached`, `withdrawals_unavailable`
 */
export async function startRelay<Response>(
  ctx: Context & { agent: { id: string } },
  { chain, project, dollar: _, ...source }: Source,
  { head, domain, readAt, now: _now, ...state }: SigningState,
  { check, stored, deposit, confirm, ...request }: RelayRequest,
  present: (row: RelayRow) => Response,
): Promise<Response> {
  const relay: NewRelay = {
    id: newId(idKinds[request.kind]),
    agentId: ctx.agent.id,
    projectId: project?.id ?? null,
    chainId: chain.id,
    recipient: chainAddress(request.recipientAsGiven),
    headBlock: Number(head),
    asEth: false,
    minEth: 0n,
    ...source,
    ...state,
    ...request,
  }
  const call = await callOf(ctx, relay, domain, deposit)
  await confirm?.(call)
  emitStep('signature made', relay.id)
  const response = await ctx.transact(async (trx) => {
    await lockManagedWallet(trx, relay.agentId)
    // Another request may have been faster, also by a whole withdrawal.
    await refuseSecond(trx, relay, readAt)
    await check?.(trx)
    await ensureWithinLimits(ctx, trx, relay)
    await insertRelay(trx, relay, call)
    const row = await findRelay(trx, relay.kind, relay.id)
    if (!row) throw new Error('the relay was not stored')
    await stored?.(trx, relay.id)
    await recordRelay(trx, 'requested', row)
    return present(row)
  })
  emitStep('intent stored', relay.id)
  ctx.services.wake()
  return response
}

/**
 * A wallet's withdrawals of a token run one at a time: nobody gets a second signature for tokens that the first can still
 * move. So do changes of an allowance. Of deposits each bounty has one, whose nonce is its own.
 */
async function refuseSecond(
  db: Database,
  relay: Parameters<typeof findRunning>[1],
  readAt: Date,
): Promise<void> {
  if (relay.kind === 'deposit') return
  const running = await findRunning(db, relay, readAt)
  if (running === undefined) return
  if (relay.kind === 'permit') throw new ServiceError('allowance_in_progress')
  throw new ServiceError(
    'withdrawal_in_progress',
    `The withdrawal ${running} of this token came first. Ask again when it is \`confirmed\` or \`failed\`.`,
  )
}

/** The call that carries the relay's signature, of the managed wallet unless a deposit has that of another one. */
async function callOf(
  { services }: Context,
  relay: NewRelay,
  domain: SigningState['domain'],
  deposit: RelayRequest['deposit'],
): Promise<Call> {
  if (deposit?.signature) {
    return { to: relay.recipient, data: encodeFund(deposit.of, relay, deposit.signature) }
  }
  const { privateKey } = await openManagedWallet(services, relay.agentId)
  return signRelay(privateKey, relay, domain, deposit?.of)
}

/** Other relays wait for the transaction, so limits are exact. */
async function ensureWithinLimits(
  { services: { config } }: Context,
  trx: Database,
  { agentId, kind, gasReservedWei }: NewRelay,
): Promise<void> {
  const isOver = await exceedsGasBudget(trx, 'relays', gasReservedWei, config.WITHDRAWAL_GAS_ETH_PER_DAY)
  const isDeposit = kind === 'deposit'
  const most = isDeposit ? config.DEPOSITS_PER_DAY : config.WITHDRAWALS_PER_DAY
  const counted = isDeposit ? 'deposits' : 'withdrawals'
  const { count, freeAt, freeInSeconds } = await countToday(trx, counted, agentId, most)
  if (count >= most)
    throw new ServiceError(
      isDeposit ? 'deposit_limit_reached' : 'withdrawal_limit_reached',
      `The caller has made its ${most} ${isDeposit ? 'deposits' : 'withdrawals and changes of an allowance'} within 24 hours. The next one is possible at ${freeAt.toISOString()}.`,
      { retryAfter: freeInSeconds },
    )
  if (isOver) throw new ServiceError('withdrawals_unavailable')
}
