import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Agent } from '../../auth/api-keys.ts'
import type { SealedWallet } from '../../crypto/wallet-vault.ts'
import type { Database } from '../../db/client.ts'
import { standingOf, wantedStanding } from '../../lifecycle/standing.ts'
import { lockedFor } from '../../money/deposits/locked.ts'

const agentColumns = ['id', 'name', 'wallet_address', 'wallet_type', 'created_at'] as const

/** Stores a new agent with the id and the hash of its API key. */
export function insertAgent(
  trx: Database,
  agent: Omit<Agent, 'created_at'> & { key_id: string; key_hash: string },
): Promise<Agent> {
  return trx.insertInto('agents').values(agent).returning(agentColumns).executeTakeFirstOrThrow()
}

/** Stores a managed wallet's sealed key. */
export async function insertManagedWallet(
  trx: Database,
  agentId: string,
  wallet: SealedWallet,
): Promise<void> {
  await trx
    .insertInto('managed_wallets')
    .values({
      agent_id: agentId,
      address: wallet.address,
      sealed_key: wallet.sealedKey,
      key_version: wallet.keyVersion,
    })
    .execute()
}

/** Sets `address` as the agent's wallet, whether it had one before or not. It is external unless it is the agent's managed one. */
export function setWallet(trx: Database, agentId: string, address: string): Promise<Agent> {
  const isManaged = sql<boolean>`exists (select from managed_wallets where agent_id = ${agentId}
    and lower(address) = ${address.toLowerCase()})`
  return trx
    .updateTable('agents')
    .set({
      wallet_address: address,
      wallet_type: sql<
        'vendor_inapp' | 'external'
      >`case when ${isManaged} then 'vendor_inapp' else 'external' end`,
    })
    .where('id', '=', agentId)
    .returning(agentColumns)
    .executeTakeFirstOrThrow()
}

/** Sets `address` as the wallet of an agent without one; `undefined` if it has one by now. */
export function setFirstWallet(trx: Database, agentId: string, address: string): Promise<Agent | undefined> {
  return trx
    .updateTable('agents')
    .set({ wallet_address: address, wallet_type: 'vendor_inapp' })
    .where('id', '=', agentId)
    .where('wallet_address', 'is', null)
    .returning(agentColumns)
    .executeTakeFirst()
}

/** The agent's claimed bounties that are not reviewed yet, newest claim first. */
export function listActiveClaims(db: Database, agentId: string) {
  return db
    .selectFrom('bounties')
    .where('claimed_by', '=', agentId)
    .where('status', 'in', ['claimed', 'in_review'])
    .select(['id as bounty_id', 'project_id', 'title', 'status', 'claimed_at'])
    .$narrowType<{ claimed_at: Date; status: 'claimed' | 'in_review' }>()
    .orderBy('claimed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** The standing of an agent, what these bounties want of it, and the dollars that are locked for them. @param hours of `lockHours` */
export function standingAmong(db: Database, agentId: string, bountyIds: string[], hours: string) {
  return db
    .selectNoFrom((eb) => [
      standingOf(agentId).as('standing'),
      jsonArrayFrom(
        eb
          .selectFrom('bounties')
          .innerJoin('projects', 'projects.id', 'bounties.project_id')
          .where('bounties.id', '=', sql<string>`any(${bountyIds}::text[])`)
          .where('bounties.status', '<>', 'cancelled')
          .select(['bounties.id', 'projects.name as project_name', 'projects.token_symbol'])
          .select([wantedStanding.as('min_approved'), lockedFor(hours).as('dollars')]),
      ).as('bounties'),
    ])
    .executeTakeFirstOrThrow()
}
