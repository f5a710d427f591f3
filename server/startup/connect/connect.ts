import type pg from 'pg'
import type { Logger } from 'pino'
import { createApiKeys, loadChecksumKey } from '../../auth/api-keys.ts'
import type { Chain } from '../../chain/chain.ts'
import { isOfSilentNode } from '../../chain/client.ts'
import { awaitChain, type ChainState } from '../../chain/connection.ts'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import { createWalletVault } from '../../crypto/wallet-vault.ts'
import { type Embedded, startEmbedded } from '../../embedded/index.ts'
import { createRepositories, type Repositories } from '../../repositories/repositories.ts'
import type { Connections } from '../compose.ts'
import { chainSource, connectContracts } from './chain.ts'
import { connectDatabase } from './database.ts'
import { reachChain } from './reach-chain.ts'
import { repositoryAuth } from './repositories.ts'

/** Connections of a running process, and how to end what was started for them. */
export interface Connected {
  connections: Connections
  /** The pool under the database, for those who watch it. */
  pool: pg.Pool
  embedded: Embedded | undefined
  /**
   * Connects to the chain and brings the contracts up to date, once; null where no chain is configured.
   * @throws ConfigError, DeploymentError
   */
  connectChain(): Promise<Chain | null>
  /**
   * The same for a process that serves: where no node answers it returns all the same and goes on trying.
   * @throws ConfigError, DeploymentError where the settings are wrong
   */
  reachChain(): Promise<void>
  close(): Promise<void>
}

/**
 * Connects everything the configuration names but the chain, starting an embedded part for each it does not name, and
 * brings the schema up to date. Tells `say` a line of progress each. What was started is stopped again when it fails.
 * @throws ConfigError, EmbeddedError: one line each for whoever configured it
 */
export async function connect(given: Config, log: Logger, say: (line: string) => void): Promise<Connected> {
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
    const { db, reads, pool } = await connectDatabase(url, config, say)
    closers.push(async () => {
      await reads.close()
      await db.destroy()
    })
    const apiKeys = createApiKeys({ checksumKey: await loadChecksumKey(db) })
    const source = chainSource(config, embedded)
    const chain = awaitChain({
      isConfigured: source !== undefined,
      onChange: (state) => reportState(log, state),
    })
    const contracts = { db, embedded, say: onceEach(say) }
    let isOver = false
    closers.push(async () => {
      isOver = true
    })
    // A generated master key is as safe as the embedded database beside it; for any other database it must be set.
    const masterKey = config.WALLET_MASTER_KEY ?? (embedded?.database && embedded.secrets.walletMasterKey)
    return {
      connections: {
        config,
        log,
        db,
        reads,
        chain,
        apiKeys,
        repositories: connectRepositories(config, embedded, log),
        wallets: masterKey ? createWalletVault(masterKey, config.WALLET_MASTER_KEY_VERSION) : null,
      },
      pool,
      embedded,
      async connectChain() {
        if (!source) return null
        return connectContracts(config, contracts, source).catch((error) => {
          throw isOfSilentNode(error) && !(error instanceof ConfigError)
            ? new ConfigError(`setting CHAIN_RPC_URL: ${nodeErrorText(error)}`, { cause: error })
            : error
        })
      },
      async reachChain() {
        if (!source) return
        const attempt = () => connectContracts(config, contracts, source)
        await reachChain(chain, attempt, { log, isOver: () => isOver })
      },
      close,
    }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

function reportState(log: Logger, state: ChainState): void {
  if (state === 'ready') log.warn('the chain answers again')
  else if (state === 'unreachable') log.warn('the chain does not answer')
  else log.error('NEEDS OPERATOR: a node of CHAIN_RPC_URL serves another chain; it is not believed')
}

/** Lines of progress that an attempt repeats are told once. */
function onceEach(say: (line: string) => void): (line: string) => void {
  const said = new Set<string>()
  return (line) => {
    if (!said.has(line)) say(line)
    said.add(line)
  }
}

const missingParts = (config: Config) => ({
  database: !config.DATABASE_URL,
  chain: !config.CHAIN_RPC_URL,
  github: !config.GITHUB_TOKEN && !config.GITHUB_APP_ID,
})

/** Whether the process is to run parts of its own. */
export function needsEmbedded(config: Config): boolean {
  return config.EMBEDDED !== 'off' && Object.values(missingParts(config)).includes(true)
}

async function startMissing(config: Config, say: (line: string) => void): Promise<Embedded | undefined> {
  if (!needsEmbedded(config)) return undefined
  return startEmbedded({
    dataDir: config.DATA_DIR,
    need: missingParts(config),
    organization: config.GITHUB_ORGANIZATION,
    ports: { chain: config.EMBEDDED_CHAIN_PORT, github: config.EMBEDDED_GITHUB_PORT },
    log: { info: say, warn: say },
  })
}

function connectRepositories(
  config: Config,
  embedded: Embedded | undefined,
  log: Logger,
): Repositories | null {
  const auth = repositoryAuth(config)
  const host = { organization: config.GITHUB_ORGANIZATION, marketplaceUrl: config.PUBLIC_URL, log }
  if (auth) return createRepositories({ ...host, apiUrl: config.GITHUB_API_URL, auth })
  const local = embedded?.github
  if (!local) return null
  return createRepositories({
    ...host,
    apiUrl: local.apiUrl,
    webUrl: local.webUrl,
    auth: { token: local.token },
  })
}
