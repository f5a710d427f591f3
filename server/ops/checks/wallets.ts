import type { Config } from '../../config/config.ts'
import { type Finding, ok, wrong } from '../../config/finding.ts'
import { countSealed, type SealedCount, wordsOf } from '../../crypto/sealed-rows.ts'
import { createWalletVault, type WalletVault } from '../../crypto/wallet-vault.ts'
import type { Database } from '../../db/client.ts'
import { examineMasterKeys } from '../../startup/connect/wallets.ts'

const about = 'WALLET_MASTER_KEY'
const aboutPrevious = 'WALLET_MASTER_KEY_PREVIOUS'

/** Examines the master keys as a start does, so that a wrong one is found before, and says how many rows need each. */
export async function checkWallets(db: Database, config: Config): Promise<Finding[]> {
  const versions = await countSealed(db)
  const {
    WALLET_MASTER_KEY: key,
    WALLET_MASTER_KEY_VERSION: version,
    WALLET_MASTER_KEY_PREVIOUS: previous,
  } = config
  if (!key)
    return versions.length > 0
      ? [wrong(about, 'not set, but the database has wallets or webhooks sealed with one')]
      : []
  const vault = createWalletVault(key, version, previous)
  const keyFindings = (await examineMasterKeys(db, vault)).flatMap((examined): Finding[] => {
    if (examined.problem) return [examined.problem]
    const counted = versions.find((found) => found.version === examined.version)
    return describeRightKey(vault, examined.version, counted)
  })
  const unknown = versions.filter((found) => !vault.opens.includes(found.version))
  return [
    ...keyFindings,
    ...unknown.map((found) =>
      wrong(
        'WALLET_MASTER_KEY_VERSION',
        `${wordsOf(found)} were sealed under version ${found.version}, which no key here opens: ` +
          `${aboutPrevious} is the key of version ${vault.version - 1}`,
      ),
    ),
  ]
}

function describeRightKey(vault: WalletVault, version: number, counted: SealedCount | undefined): Finding[] {
  if (version === vault.version)
    return counted ? [ok(about, `opens what this database has sealed (${wordsOf(counted)})`)] : []
  return counted
    ? [ok(aboutPrevious, `still needed for ${wordsOf(counted)}, which the servers seal under the newest key`)]
    : [ok(aboutPrevious, 'nothing needs it: remove it when every server has the newest key')]
}
