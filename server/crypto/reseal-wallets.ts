import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { Database } from '../db/client.ts'
import { inTransaction } from '../db/transaction.ts'
import type { WalletVault } from './wallet-vault.ts'

const batchSize = 100

/**
 * The task that moves wallets from the previous master key to the newest one. Any number of processes may run it, at any
 * time and after any interruption: each batch is one transaction and skips the rows of others.
 */
export function walletResealing(
  db: Database,
  vault: WalletVault | null,
  log: Pick<Logger, 'info' | 'error'>,
): () => Promise<void> {
  const [, previous] = vault?.opens ?? []
  if (!vault || previous === undefined) return async () => undefined
  let isDone = false
  return async () => {
    const failed: string[] = []
    let moved = 0
    for (let last: string | undefined = ''; last !== undefined; ) {
      const batch = await resealBatch(db, vault, { version: previous, after: last })
      failed.push(...batch.failed)
      moved += batch.moved
      last = batch.last
    }
    if (failed.length > 0)
      log.error(
        { agentId: failed[0], wallets: failed.length },
        'NEEDS OPERATOR: managed wallets were altered or sealed under another key: they do not open under WALLET_MASTER_KEY_PREVIOUS',
      )
    const left = await countWallets(db, previous)
    if (left === 0 && !isDone)
      log.info(
        { moved },
        `every managed wallet is sealed under master key version ${vault.version}: once no server uses the previous key, WALLET_MASTER_KEY_PREVIOUS can be removed`,
      )
    else if (moved > 0) log.info({ moved, left }, 'managed wallets were sealed under the newest master key')
    isDone = left === 0
  }
}

/** How many wallets are sealed under a version of the master key. */
async function countWallets(db: Database, version: number): Promise<number> {
  const { count } = await db
    .selectFrom('managed_wallets')
    .where('key_version', '=', version)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Moves the next wallets of a version after an agent id. `last` is undefined after the end. */
function resealBatch(
  db: Database,
  vault: WalletVault,
  { version, after }: { version: number; after: string },
): Promise<{ moved: number; failed: string[]; last: string | undefined }> {
  return inTransaction(db, async (trx) => {
    const rows = await trx
      .selectFrom('managed_wallets')
      .where('key_version', '=', version)
      .where('agent_id', '>', after)
      .select(['agent_id', 'address', 'sealed_key'])
      .orderBy('agent_id')
      .limit(batchSize)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    const failed: string[] = []
    for (const { agent_id, address, sealed_key } of rows) {
      const stored = { address: address as Address, sealedKey: sealed_key, keyVersion: version }
      const sealed = attempt(() => vault.reseal(agent_id, stored))
      if (!sealed) failed.push(agent_id)
      else
        await trx
          .updateTable('managed_wallets')
          .set({ sealed_key: sealed.sealedKey, key_version: sealed.keyVersion })
          .where('agent_id', '=', agent_id)
          .execute()
    }
    return { moved: rows.length - failed.length, failed, last: rows.at(-1)?.agent_id }
  })
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
