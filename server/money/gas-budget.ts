import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Address, type PublicClient, parseEther, parseGwei, toHex } from 'viem'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/client.ts'
import type { Chain } from './chain/chain.ts'
import { readDataFee } from './chain/data-fee.ts'
import { readGasBalances } from './chain/gas.ts'
import { capFees } from './transactions/send/fees.ts'

/**
 * What operator keys pay for, but for payouts that buyers stand behind. Each row counts against its agent's number a day. Relays and
 * activations also reserve gas of a budget a day, first what their transaction can cost, then what it has cost. A failed
 * activation is nobody's, but its reverted deployment has cost gas. A payout counts as often as it got a transaction; one that
 * was refused before it had a nonce has cost nothing.
 */
const sponsored = {
  relays: sql`(select agent_id, created_at as since, gas_reserved_wei from relays)`,
  withdrawals: sql`(select agent_id, created_at as since from relays where kind <> 'deposit')`,
  deposits: sql`(select agent_id, created_at as since from relays where kind = 'deposit')`,
  activations: sql`(select case when activations.status <> 'failed' then founder_id end as agent_id,
      started_at as since, gas_reserved_wei
    from activations join projects on projects.id = project_id)`,
  payouts: sql`(select founder_id as agent_id, t.created_at as since
    from projects join payouts p on p.project_id = projects.id join transactions t on t.entity_id = p.submission_id
    where p.begun_at > statement_timestamp() - interval '24 hours' and not p.is_backed
      and t.purpose = 'payout' and t.status <> 'refused')`,
}
type Sponsored = keyof typeof sponsored

/** The settings that keep the gas of operator keys for payouts. */
export type GasLimits = Pick<Config, 'LOW_GAS_PAYOUTS' | 'MAX_FEE_GWEI'>

/** Why a transaction waits although the operator key could pay its gas. */
export const keptForPayouts = 'the operator key keeps its ETH for payouts that buyers stand behind'

/** Whether an operator key has so little ETH that it pays for backed payouts alone. */
export async function keepsGasForPayouts(
  client: PublicClient,
  address: Address,
  { LOW_GAS_PAYOUTS }: Pick<GasLimits, 'LOW_GAS_PAYOUTS'>,
): Promise<boolean> {
  const [gas] = await readGasBalances({ client, operators: [{ address }] })
  return !gas || gas.payouts < LOW_GAS_PAYOUTS
}

/** The operator keys that pay for other transactions as well. */
export async function keysWithGas(
  chain: Chain,
  { LOW_GAS_PAYOUTS }: Pick<GasLimits, 'LOW_GAS_PAYOUTS'>,
): Promise<Address[]> {
  const balances = await readGasBalances(chain)
  return balances.filter(({ payouts }) => payouts >= LOW_GAS_PAYOUTS).map(({ address }) => address)
}

/** Bytes of the longest call that is paid for: it creates a project whose name has a hundred characters of four bytes. */
const longestCall = 700

/** What a transaction of at most `gas` can cost, in wei, and whether every operator key keeps its ETH for payouts. */
export async function readGasPrice(chain: Chain, gas: bigint, limits: GasLimits) {
  const { client } = chain
  // Bytes without a pattern cost most.
  const call = { to: toHex(randomBytes(20)), data: toHex(randomBytes(longestCall)) }
  const [fees, dataFee, keys] = await Promise.all([
    client.estimateFeesPerGas(),
    readDataFee(client, call, gas),
    keysWithGas(chain, limits),
  ])
  const { maxFeePerGas } = capFees(fees, parseGwei(String(limits.MAX_FEE_GWEI)))
  return { mostWei: maxFeePerGas * gas + dataFee, isKept: keys.length === 0 }
}

/**
 * How many of the `most` that an agent may have in 24 hours it has, and when the next one is free, in seconds.
 * Counted from the statement, because a transaction that waited for a lock began before the rows it now reads.
 */
export async function countToday(
  db: Database,
  kind: Sponsored,
  agentId: string,
  most: number,
): Promise<Today> {
  const { rows } = await sql<Today>`
    select *, extract(epoch from "freeAt" - statement_timestamp())::float8 as "freeInSeconds" from (
      select count(*)::int as count, coalesce(min(since), statement_timestamp()) + interval '24 hours' as "freeAt"
      from (select since from ${sponsored[kind]} rows where agent_id = ${agentId} and since > statement_timestamp() - interval '24 hours'
        order by since desc limit ${most}) latest) today`.execute(db)
  return rows[0] as Today
}

/** What an agent has used of a limit of 24 hours, and when the next one is free if it has used it up. */
interface Today {
  count: number
  freeAt: Date
  freeInSeconds: number
}

/**
 * Whether `moreWei` on top of what was reserved in the last 24 hours exceeds the budget of so much ETH. Until the
 * transaction ends nobody else reads it.
 */
export async function exceedsGasBudget(
  trx: Database,
  kind: 'relays' | 'activations',
  moreWei: bigint,
  ethPerDay: string,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext(${`${kind}: gas reserved`}))`.execute(trx)
  const { rows } = await sql<{ wei: string }>`select coalesce(sum(gas_reserved_wei), 0) as wei
    from ${sponsored[kind]} rows where since > now() - interval '24 hours'`.execute(trx)
  return BigInt(rows[0]?.wei ?? 0) + moreWei > parseEther(ethPerDay)
}
