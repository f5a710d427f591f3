import { type Logger, pino } from 'pino'
import { type Address, createPublicClient, type Hex, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createApiKeys, loadChecksumKey } from './auth/api-keys.ts'
import { type Chain, connectChain } from './chain/chain.ts'
import { deployContracts } from './chain/deploy.ts'
import type { Connections } from './compose.ts'
import { type Config, ConfigError } from './config.ts'
import { createDatabase, createPool } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { type Embedded, fundAccount, startEmbedded } from './embedded/index.ts'
import { createRepositories, type Repositories } from './repositories/repositories.ts'
import { nodeErrorText } from './transactions/answers.ts'
import { createWalletVault } from './wallets/vault.ts'

/** What an operator key of the embedded chain has at least when the service starts. */
const embeddedGasMoney = parseEther('1000')

/** Connections of a running process, and how to end what was started for them. */
export interface Connected {
  connections: Connections
  embedded: Embedded | undefined
  close(): Promise<void>
}

/**
 * Connects everything the configuration names, starting an embedded part for each it does not name, and brings schema
 * and contracts up to date. Tells `say` a line of progress each. What was started is stopped again when it fails.
 */
export async function connect(given: Config, say: (line: string) => void): Promise<Connected> {
  const log = pino({ level: given.LOG_LEVEL })
  const embedded = await startMissing(given, say)
  const closers: (() => Promise<void>)[] = embedded ? [() => embedded.stop()] : []
  const close = async () => {
    for (const end of closers.reverse()) await end()
  }
  try {
    const config: Config = {
      ...given,
      CHAIN_PUBLIC_RPC_URL: given.CHAIN_PUBLIC_RPC_URL ?? embedded?.chain?.rpcUrl,
    }
    const url = config.DATABASE_URL ?? embedded?.database?.url
    if (!url) throw new ConfigError('setting DATABASE_URL: needed with EMBEDDED=off')
    const db = createDatabase(createPool(url, { size: config.DATABASE_POOL_SIZE }))
    closers.push(() => db.destroy())
    const applied = await migrate(db).catch((error) => {
      throw unusable('DATABASE_URL', error)
    })
    say(applied.length > 0 ? `Schema migrated: ${applied.join(', ')}` : 'Schema is up to date')
    const chain = await connectContracts(config, embedded, say)
    // A generated master key is as safe as the embedded database beside it; for any other database it must be set.
    const masterKey = config.WALLET_MASTER_KEY ?? (embedded?.database && embedded.secrets.walletMasterKey)
    return {
      connections: {
        config,
        log,
        db,
        chain,
        apiKeys: createApiKeys({ checksumKey: await loadChecksumKey(db) }),
        repositories: connectRepositories(config, embedded, log),
        wallets: masterKey ? createWalletVault(masterKey, config.WALLET_MASTER_KEY_VERSION) : null,
      },
      embedded,
      close,
    }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

async function startMissing(config: Config, say: (line: string) => void): Promise<Embedded | undefined> {
  const need = {
    database: !config.DATABASE_URL,
    chain: !config.CHAIN_RPC_URL,
    github: !config.GITHUB_TOKEN && !config.GITHUB_APP_ID,
  }
  if (config.EMBEDDED === 'off' || !Object.values(need).includes(true)) return undefined
  return startEmbedded({
    dataDir: config.DATA_DIR,
    need,
    organization: config.GITHUB_ORGANIZATION,
    ports: { chain: config.EMBEDDED_CHAIN_PORT, github: config.EMBEDDED_GITHUB_PORT },
    log: { info: say, warn: say },
  })
}

async function connectContracts(
  config: Config,
  embedded: Embedded | undefined,
  say: (line: string) => void,
): Promise<Chain | null> {
  const local = embedded?.chain
  const rpcUrls = config.CHAIN_RPC_URL ?? (local && [local.rpcUrl])
  const [rpcUrl] = rpcUrls ?? []
  const keys = (config.OPERATOR_PRIVATE_KEYS ?? embedded?.secrets.operatorPrivateKeys) as Hex[] | undefined
  const [firstKey] = keys ?? []
  if (!rpcUrls || !rpcUrl || !keys || !firstKey) return null
  const operators = keys.map((key) => privateKeyToAccount(key))
  const deployerPrivateKey = local && embedded ? embedded.secrets.deployerPrivateKey : firstKey
  if (local) {
    const funded = [privateKeyToAccount(deployerPrivateKey), ...operators]
    await Promise.all(funded.map(({ address }) => keepFunded(local.rpcUrl, address)))
  }
  const platformWallet =
    (config.PLATFORM_WALLET_ADDRESS as Address | undefined) ??
    (
      await deployContracts({
        rpcUrl,
        expectedChainId: config.CHAIN_ID,
        deployerPrivateKey,
        owner: config.OWNER_ADDRESS as Address | undefined,
        treasury: config.TREASURY_ADDRESS as Address | undefined,
        bountyReserveBps: config.BOUNTY_RESERVE_BPS,
        operators: operators.map(({ address }) => address),
        log: say,
      })
    ).platformWallet
  const chain = await connectChain({ name: config.CHAIN_NAME, rpcUrls, operators, platformWallet }).catch(
    (error) => {
      throw unusable(config.PLATFORM_WALLET_ADDRESS ? 'PLATFORM_WALLET_ADDRESS' : 'CHAIN_RPC_URL', error)
    },
  )
  if (config.CHAIN_ID !== undefined && chain.id !== config.CHAIN_ID)
    throw new ConfigError(`setting CHAIN_ID: the node serves chain ${chain.id}`)
  say(`Chain ${chain.id} (${chain.name}), platform wallet ${chain.platformWallet}`)
  return chain
}

async function keepFunded(rpcUrl: string, address: Address): Promise<void> {
  const balance = await createPublicClient({ transport: http(rpcUrl) }).getBalance({ address })
  if (balance < embeddedGasMoney) await fundAccount(rpcUrl, address, embeddedGasMoney)
}

function connectRepositories(
  config: Config,
  embedded: Embedded | undefined,
  log: Logger,
): Repositories | null {
  const { GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY, GITHUB_APP_INSTALLATION_ID, GITHUB_TOKEN } = config
  const host = { organization: config.GITHUB_ORGANIZATION, log }
  if (GITHUB_APP_ID && GITHUB_APP_PRIVATE_KEY && GITHUB_APP_INSTALLATION_ID)
    return createRepositories({
      ...host,
      apiUrl: config.GITHUB_API_URL,
      auth: {
        appId: GITHUB_APP_ID,
        privateKey: GITHUB_APP_PRIVATE_KEY,
        installationId: GITHUB_APP_INSTALLATION_ID,
      },
    })
  if (GITHUB_TOKEN)
    return createRepositories({ ...host, apiUrl: config.GITHUB_API_URL, auth: { token: GITHUB_TOKEN } })
  const local = embedded?.github
  return local
    ? createRepositories({
        ...host,
        apiUrl: local.apiUrl,
        webUrl: local.webUrl,
        auth: { token: local.token },
      })
    : null
}

/** A setting that is well written but does not work. Addresses may hold passwords, so none is repeated. */
function unusable(setting: string, cause: unknown): ConfigError {
  return new ConfigError(`setting ${setting}: ${nodeErrorText(cause)}`)
}
