import { sql } from 'kysely'
import type { Address, Hash, Hex } from 'viem'
import { hexOf } from '../../db/bytes.ts'
import type { Database } from '../../db/client.ts'
import { beginOrder, moveOrderIf, noteOnOrder } from '../orders/move.ts'
import { enqueueTransaction } from '../transactions/send/queue.ts'
import type { Purpose } from '../transactions/types.ts'
import type { RelayFailure } from './failures.ts'

/** What a wallet signs: a transfer or a sale of its tokens, a permit for the platform wallet, or a deposit of dollars in it. */
export interface RelayTerms {
  kind: 'withdrawal' | 'permit' | 'deposit'
  chainId: number
  token: Address
  /** Of the project; null where the token is the coin. */
  curve: Address | null
  /** The signer. */
  wallet: Address
  /** The wallet that holds the bounty reserve; null where the token is the coin. */
  founder: Address | null
  /** Base units; of a permit the new allowance. */
  amount: bigint
  /** Receives the tokens or the ETH; of a permit or a deposit the platform wallet. */
  recipient: Address
  asEth: boolean
  /** Lowest acceptable payment of a sale, in wei. */
  minEth: bigint
  /** Nonce of the authorization; for a permit the wallet's `nonces`, for a deposit `depositNonce`. */
  nonce: Hex
  /** Block time in seconds from which on the chain refuses the signature. */
  validBefore: number
}

/** A stored relay. */
export interface Relay extends RelayTerms {
  id: string
  status: 'running' | 'confirmed' | 'failed'
  /** Newest block when it was signed. */
  headBlock: number
  /** Why the chain has refused it so far. */
  refusal: RelayFailure | null
  /** Its own transaction that counts on the chain, as far as the lane that watches it has recorded one. */
  ownHash: Hash | null
  /** Before this moment nobody can have used its nonce, whatever the database has lost. */
  usableSince: Date
}

/** Relays `r`, each with its project `j`. */
function selectRelays(db: Database) {
  return (
    db
      .selectFrom('relays as r')
      .leftJoin('projects as j', 'j.id', 'r.project_id')
      .innerJoin('agents as a', 'a.id', 'r.agent_id')
      .leftJoin('transactions as t', 't.id', 'r.transaction_id')
      .selectAll('r')
      // What the chain refused before it let the transaction through is no reason any more.
      .select(sql<boolean>`coalesce(t.status in ('unconfirmed', 'mined'), false)`.as('is_sent'))
      .select(['j.curve_address', 'j.founder_wallet'])
      .select(sql<Date>`coalesce(j.created_at, a.created_at)`.as('usable_since'))
      .select((relay) =>
        relay
          .selectFrom('transactions as own')
          .select('own.mined_hash')
          .whereRef('own.entity_id', '=', 'r.id')
          .where('own.status', '=', 'confirmed')
          .limit(1)
          .as('own_hash'),
      )
  )
}

type RelayRow = Awaited<ReturnType<ReturnType<typeof selectRelays>['executeTakeFirstOrThrow']>>

function toRelay(row: RelayRow): Relay {
  const isOfCoin = row.kind === 'deposit' || row.project_id === null
  return {
    id: row.id,
    kind: row.kind,
    chainId: row.chain_id,
    token: row.token as Address,
    curve: isOfCoin ? null : (row.curve_address?.toLowerCase() as Address),
    wallet: row.wallet as Address,
    founder: isOfCoin ? null : (row.founder_wallet?.toLowerCase() as Address),
    amount: BigInt(row.amount),
    recipient: row.recipient.toLowerCase() as Address,
    asEth: row.as_eth,
    minEth: BigInt(row.min_eth ?? 0),
    nonce: row.nonce as Hex,
    validBefore: row.valid_before,
    status: row.status,
    headBlock: row.head_block,
    refusal: row.is_sent ? null : (row.error_code as RelayFailure | null),
    ownHash: row.own_hash as Hash | null,
    usableSince: row.usable_since,
  }
}

/** One relay. @throws when there is none */
export async function getRelay(db: Database, id: string): Promise<Relay> {
  const row = await selectRelays(db).where('r.id', '=', id).executeTakeFirst()
  if (!row) throw new Error('the transaction has no relay')
  return toRelay(row)
}

/** Most relays that are looked at in one round of the sweep. */
const mostSwept = 200

/** Whether relays of a chain are running. */
export const hasRunning = (chainId: number) =>
  sql`exists (select from relays where status = 'running' and chain_id = ${chainId})`

/**
 * Running relays of a chain, and whether their transactions are on their way without an obstacle. Those come first whose own
 * transaction counts; the others in random order, so that none waits behind those that cannot be settled.
 */
export async function listRunning(
  db: Database,
  chainId: number,
): Promise<{ relay: Relay; isBeingSent: boolean }[]> {
  const rows = await selectRelays(db)
    .select(sql<boolean>`coalesce(t.status = 'queued' and t.error is null, false)`.as('is_waiting'))
    .where('r.status', '=', 'running')
    .where('r.chain_id', '=', chainId)
    .orderBy(sql`t.status is distinct from 'confirmed', random()`)
    .limit(mostSwept)
    .execute()
  return rows.map((row) => ({ relay: toRelay(row), isBeingSent: row.is_sent || row.is_waiting }))
}

/** A relay to store. */
export interface NewRelay extends RelayTerms {
  id: string
  agentId: string
  projectId: string | null
  /** As the agent wrote it. */
  recipientAsGiven: string
  /** What a request with the same Idempotency-Key must match; null for a permit. */
  requestDigest: Buffer | null
  headBlock: number
  gasReservedWei: bigint
}

/** Stores a relay and queues the call that carries its signature, in the caller's transaction. */
export async function insertRelay(
  trx: Database,
  relay: NewRelay,
  call: { to: Address; data: Hex },
): Promise<void> {
  const { id, chainId, kind } = relay
  const transaction_id = await enqueueTransaction(trx, { ...call, chainId, purpose: kind, entityId: id })
  await beginOrder(trx, 'relay', {
    id,
    kind,
    agent_id: relay.agentId,
    project_id: relay.projectId,
    chain_id: chainId,
    token: relay.token,
    wallet: relay.wallet,
    amount: relay.amount.toString(),
    recipient: relay.recipientAsGiven,
    as_eth: relay.asEth,
    min_eth: relay.asEth ? relay.minEth.toString() : null,
    nonce: relay.nonce,
    request_digest: relay.requestDigest,
    head_block: relay.headBlock,
    valid_before: relay.validBefore,
    gas_reserved_wei: relay.gasReservedWei.toString(),
    transaction_id,
  })
}

/**
 * Queues the call of a running relay again; false where it is settled. That cannot make it twice: the call carries the
 * signature that the chain accepts once.
 */
export async function resumeRelay(trx: Database, relayId: string): Promise<boolean> {
  if (!(await moveOrderIf(trx, 'relay', 'resume', relayId))) return false
  const { rows } = await sql<{ purpose: Purpose; chainId: number; to: string; data: Hex }>`
    select t.purpose, t.chain_id as "chainId", t.to_address as "to", ${hexOf('t.data')} as data
    from relays r join transactions t on t.id = r.transaction_id where r.id = ${relayId}`.execute(trx)
  const [call] = rows
  if (!call) throw new Error('the relay has no transaction')
  const transaction_id = await enqueueTransaction(trx, { ...call, entityId: relayId })
  await noteOnOrder(trx, 'relay', relayId, { transaction_id })
  return true
}
