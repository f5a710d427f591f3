import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Config } from '../../config/config.ts'
import { createWalletVault, UnknownMasterKeyError, type WalletVault } from '../../crypto/wallet-vault.ts'
import type { Database } from '../../db/client.ts'
import { type Finding, ok, wrong } from './finding.ts'

const about = 'WALLET_MASTER_KEY'
const aboutPrevious = 'WALLET_MASTER_KEY_PREVIOUS'

/** Opens one managed wallet of each version, so that a wrong master key is found before somebody needs a wallet. */
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
  const isUnused = previous !== undefined && !versions.some((found) => found.key_version === version - 1)
  return [
    ...versions.map((found) => checkVersion(vault, found)),
    ...(isUnused
      ? [ok(aboutPrevious, 'no wallet needs it: remove it when every server has the newest key')]
      : []),
  ]
}

interface WalletsOfVersion {
  key_version: number
  wallets: number
  agent_id: string
  address: string
  sealed_key: Buffer
}

function checkVersion(vault: WalletVault, found: WalletsOfVersion): Finding {
  const { key_version: version, wallets, agent_id, address, sealed_key } = found
  const isNewest = version === vault.version
  try {
    vault.open(agent_id, { address: address as Address, sealedKey: sealed_key, keyVersion: version })
    return isNewest
      ? ok(about, `opens the wallets of this database (${wallets})`)
      : ok(aboutPrevious, `still needed for ${wallets} wallets, which the servers seal under the newest key`)
  } catch (error) {
    if (!(error instanceof UnknownMasterKeyError))
      return wrong(
        isNewest ? about : aboutPrevious,
        'does not open the wallets of this database: it is another key',
      )
    return wrong(
      'WALLET_MASTER_KEY_VERSION',
      `${wallets} wallets were sealed under version ${version}, which no key here opens: ` +
        `${aboutPrevious} is the key of version ${vault.version - 1}`,
    )
  }
}

/** How many wallets each version of the master key has sealed, newest version first, with one of them. */
async function walletsByVersion(db: Database): Promise<WalletsOfVersion[]> {
  const { rows } = await sql<WalletsOfVersion>`
    select distinct on (key_version) key_version, count(*) over (partition by key_version)::int as wallets,
      agent_id, address, sealed_key
    from managed_wallets order by key_version desc, agent_id`.execute(db)
  return rows
}
