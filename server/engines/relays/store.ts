import { type RawBuilder, sql } from 'kysely'
import type { Address, Hash, Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { enqueueTransaction } from '../transactions/send/queue.ts'
import type { RelayFailure } from './failures.ts'

/** What a managed wallet signs: a transfer or a sale of its tokens, or a permit for the platform wallet. */
export interface RelayTerms {
  kind: 'withdrawal' | 'permit'
  chainId: number
  token: Address
  curve: Address
  /** The signer. */
  wallet: Address
  /** The wallet that holds the bounty reserve. */
  founder: Address
  /** Base units; of a permit the new allowance. */
  amount: bigint
  /** Receives the tokens or the ETH; of a permit the platform wallet. */
  recipient: Address
  asEth: boolean
  /** Lowest acceptable payment of a sale, in wei. */
  minEth: bigint
  /** Nonce of the authorization; for a permit the wallet's `nonces`. */
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

/** A row of `relays r` with its project `j`, as JSON; numbers that JSON would round are text. */
const relayColumns = sql<RelayRow>`jsonb_build_object('id', r.id, 'kind', r.kind, 'chainId', r.chain_id, 'token', r.token,
  'curve', lower(j.curve_address), 'founder', lower(j.founder_wallet), 'wallet', r.wallet, 'amount', r.amount::text,
  'recipient', lower(r.recipient), 'asEth', r.as_eth,
  'minEth', coalesce(r.min_eth, 0)::text, 'nonce', r.nonce, 'validBefore', r.valid_before, 'headBlock', r.head_block,
  'status', r.status, 'usableSince', j.created_at,
  'refusal', r.error_code, 'ownHash', (select mined_hash from transactions own
    where own.entity_id = r.id and own.status = 'confirmed' limit 1))`

type RelayRow = Omit<Relay, 'amount' | 'minEth' | 'usableSince'> &
  Record<'amount' | 'minEth' | 'usableSince', string>

/** A relay as JSON, for {@link toRelay}. */
export function relayJson(id: RawBuilder<unknown>) {
  return sql<RelayRow>`select ${relayColumns} from relays r join projects j on j.id = r.project_id where r.id = ${id}`
}

/** The relay that {@link relayJson} found. @throws when there is none */
export function toRelay(found: unknown): Relay {
  if (!found) throw new Error('the transaction has no relay')
  const row = found as RelayRow
  return {
    ...row,
    amount: BigInt(row.amount),
    minEth: BigInt(row.minEth),
    usableSince: new Date(row.usableSince),
  }
}

/** Most relays that are looked at in one round of the sweep. */
const mostSwept = 200

/**
 * Running relays of a chain, in random order so that none waits behind others that cannot be settled, and whether their
 * transactions are on their way without an obstacle.
 */
export async function listRunning(
  db: Database,
  chainId: number,
): Promise<{ relay: Relay; isBeingSent: boolean }[]> {
  const { rows } = await sql<{ relay: RelayRow; isBeingSent: boolean }>`/* running relays */
    select ${relayColumns} as relay, coalesce(t.status in ('unconfirmed', 'mined')
      or (t.status = 'queued' and t.error is null), false) as "isBeingSent"
    from relays r join projects j on j.id = r.project_id left join transactions t on t.id = r.transaction_id
    where r.status = 'running' and r.chain_id = ${chainId} order by random() limit ${sql.lit(mostSwept)}`.execute(
    db,
  )
  return rows.map(({ relay, isBeingSent }) => ({ relay: toRelay(relay), isBeingSent }))
}

/** A relay to store. */
export interface NewRelay extends RelayTerms {
  id: string
  agentId: string
  projectId: string
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
  await trx
    .insertInto('relays')
    .values({
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
    .execute()
}
