import type { Config } from '../../config/config.ts'
import { createWalletVault, type WalletVault } from '../../crypto/wallet-vault.ts'
import type { Database } from '../../db/client.ts'
import { judgeMasterKeys } from '../../startup/connect/wallets.ts'
import { type Finding, ok, wrong } from './finding.ts'

const about = 'WALLET_MASTER_KEY'
const aboutPrevious = 'WALLET_MASTER_KEY_PREVIOUS'

/** Judges the master keys as a start does, so that a wrong one is found before, and says how many wallets need each. */
export async function checkWallets(db: Database, config: Config): Promise<Finding[]> {
  const versions = await walletsByVersion(db)
  const {
    WALLET_MASTER_KEY: key,
    WALLET_MASTER_KEY_VERSION: version,
    WALLET_MASTER_KEY_PREVIOUS: previous,
  } = config
  if (!key)
    return versions.length > 0 ? [wrong(about, 'not set, but the database has wallets sealed with one')] : []
  const vault = createWalletVault(key, version, previous)
  const judged = (await judgeMasterKeys(db, vault)).flatMap((verdict): Finding[] => {
    if (verdict.problem) return [wrong(verdict.problem.setting, verdict.problem.text)]
    const wallets = versions.find((found) => found.key_version === verdict.version)?.wallets ?? 0
    return describeRightKey(vault, verdict.version, wallets)
  })
  const unknown = versions.filter((found) => !vault.opens.includes(found.key_version))
  return [
    ...judged,
    ...unknown.map((found) =>
      wrong(
        'WALLET_MASTER_KEY_VERSION',
        `${found.wallets} wallets were sealed under version ${found.key_version}, which no key here opens: ` +
          `${aboutPrevious} is the key of version ${vault.version - 1}`,
      ),
    ),
  ]
}

function describeRightKey(vault: WalletVault, version: number, wallets: number): Finding[] {
  if (version === vault.version)
    return wallets > 0 ? [ok(about, `opens the wallets of this database (${wallets})`)] : []
  return wallets > 0
    ? [ok(aboutPrevious, `still needed for ${wallets} wallets, which the servers seal under the newest key`)]
    : [ok(aboutPrevious, 'no wallet needs it: remove it when every server has the newest key')]
}

/** How many wallets each version of the master key has sealed, newest version first. */
function walletsByVersion(db: Database): Promise<{ key_version: number; wallets: number }[]> {
  return db
    .selectFrom('managed_wallets')
    .select(({ fn }) => ['key_version', fn.countAll<number>().as('wallets')])
    .groupBy('key_version')
    .orderBy('key_version', 'desc')
    .execute()
}
