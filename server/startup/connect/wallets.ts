import { keepServiceKey } from '../../auth/queries.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import { type Finding, wrong } from '../../config/finding.ts'
import { attempt } from '../../crypto/reseal.ts'
import { sealedRows, sealedTables } from '../../crypto/sealed-rows.ts'
import { createWalletVault, type WalletVault } from '../../crypto/wallet-vault.ts'
import type { Database } from '../../db/client.ts'
import type { Embedded } from '../../embedded/index.ts'

/** An altered row opens under no key. It must not make the right key look wrong, so several rows are tried. */
const triedRows = 100

const canaryName = (version: number) => `wallet master key v${version}`

/**
 * The vault of managed wallets, or null without a master key. The first process of a version stores a canary under its
 * key; a process with another key of that version could seal rows that no other one opens, so it is refused.
 * @throws ConfigError naming the setting whose key is another one than this database knows
 */
export async function connectWallets(
  db: Database,
  config: Config,
  embedded: Embedded | undefined,
): Promise<WalletVault | null> {
  // A generated master key is as safe as the embedded database beside it; for any other database it must be set.
  const masterKey = config.WALLET_MASTER_KEY ?? (embedded?.database && embedded.secrets.walletMasterKey)
  if (!masterKey) return null
  const vault = createWalletVault(
    masterKey,
    config.WALLET_MASTER_KEY_VERSION,
    config.WALLET_MASTER_KEY_PREVIOUS,
  )
  // All keys are examined before a canary is stored: two keys that were swapped must leave none.
  const found = await examineMasterKeys(db, vault)
  const problems = found.flatMap(({ problem }) => problem ?? [])
  if (problems.length > 0) throw new ConfigError(problems)
  for (const { version, isProven } of found) {
    if (version !== vault.version && !isProven) continue
    const stored = await keepServiceKey(db, canaryName(version), vault.sealCanary(version))
    if (!vault.opensCanary(version, stored)) throw new ConfigError([problemOf(vault, version)])
  }
  return vault
}

/** What the database says about the master key of a version. */
export interface MasterKeyFinding {
  version: number
  /** Whether something that was sealed under this version opens. */
  isProven: boolean
  /** Set if the key is another one than this database knows. Without canary and sealed rows any key is right. */
  problem?: Finding
}

/** Examines each master key of the vault by its canary, or by the rows of its version if there is none. Changes nothing. */
export function examineMasterKeys(db: Database, vault: WalletVault): Promise<MasterKeyFinding[]> {
  return Promise.all(
    vault.opens.map(async (version) => {
      const opened = (await openCanary(db, vault, version)) ?? (await openRows(db, vault, version))
      if (opened === false) return { version, isProven: false, problem: problemOf(vault, version) }
      return { version, isProven: opened === true }
    }),
  )
}

function problemOf(vault: WalletVault, version: number): Finding {
  const setting = version === vault.version ? 'WALLET_MASTER_KEY' : 'WALLET_MASTER_KEY_PREVIOUS'
  return wrong(setting, `this database knows another key as version ${version} of the master key`)
}

/** Whether the canary of a version opens; undefined if there is none. */
async function openCanary(db: Database, vault: WalletVault, version: number): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('service_keys')
    .where('name', '=', canaryName(version))
    .select('value')
    .executeTakeFirst()
  return row && vault.opensCanary(version, row.value)
}

/** Whether a wallet or the secrets of a webhook of a version open; undefined if there are none. */
async function openRows(db: Database, vault: WalletVault, version: number): Promise<boolean | undefined> {
  let isAny = false
  for (const table of sealedTables) {
    const { rows } = await sealedRows(table, { version, after: '', limit: triedRows }).execute(db)
    if (rows.some((row) => attempt(() => table.reseal(vault, row)))) return true
    isAny ||= rows.length > 0
  }
  return isAny ? false : undefined
}
