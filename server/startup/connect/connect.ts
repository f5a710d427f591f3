import type pg from 'pg'
import type { Logger } from 'pino'
import { createApiKeys, loadChecksumKey } from '../../auth/api-keys.ts'
import { type Config, ConfigError, missingParts } from '../../config/config.ts'
import { type Embedded, startEmbedded } from '../../embedded/index.ts'
import type { ConnectedChain } from '../../money/chain/chain.ts'
import { awaitChain, type ChainState } from '../../money/chain/connection.ts'
import type { Connections } from '../compose.ts'
import { startBlocks } from './blocks.ts'
import { connectContracts } from './contracts.ts'
import { connectDatabase } from './database.ts'
import { chainSource } from './nodes.ts'
import { reachChain } from './reach-chain.ts'
import { connectRepositories } from './repositories.ts'
import { connectWallets } from './wallets.ts'

/** The connections of a running process, and how to close them. */
export interface Connected {
  connections: Connections
  /** The pool below the database, for metrics. */
  pool: pg.Pool
  embedded: Embedded | undefined
  /**
   * Connects to the chain and brings the contracts up to date, once; null where no chain is configured.
   * @throws ConfigError, DeploymentError
   */
  connectChain(): Promise<ConnectedChain | null>
  /**
   * The same for a process that serves: while no node replies it goes on trying in the background.
   * @throws ConfigError, DeploymentError when the settings are wrong
   */
  reachChain(): Promise<void>
  close(): Promise<void>
}

/**
 * Connects everything in the configuration except the chain, starts an embedded part for each that is missing there, and
 * brings the schema up to date. Each step reports a line. A failure closes what was started before.
 * @throws ConfigError, EmbeddedError with one line for the operator
 */
export async function connect(
  given: Config,
  log: Logger,
  report: (line: string) => void,
): Promise<Connected> {
  const embedded = await startMissing(given, report)
  const closers: (() => Promise<void>)[] = embedded ? [() => embedded.stop()] : []
  const close = async () => {
    for (const end of closers.reverse()) await end()
  }
  try {
    const config = withEmbedded(given, embedded)
    const url = config.DATABASE_URL ?? embedded?.database?.url
    if (!url) throw new ConfigError('setting DATABASE_URL: needed with EMBEDDED=off')
    const { db, reads, pool } = await connectDatabase(url, config, report)
    closers.push(async () => {
      await reads.close()
      await db.destroy()
    })
    if (embedded?.chain) {
      const blocks = startBlocks({ db, ...embedded.chain, config })
      closers.push(() => blocks.stop())
    }
    const apiKeys = createApiKeys({ checksumKey: await loadChecksumKey(db) })
    const source = chainSource(config, embedded)
    const chain = awaitChain({
      isConfigured: source !== undefined,
      onChange: (state) => reportState(log, state),
    })
    const contracts = { db, embedded, report: onceEach(report) }
    let isOver = false
    closers.push(async () => {
      isOver = true
    })
    const wallets = await connectWallets(db, config, embedded)
    return {
      connections: {
        config,
        log,
        db,
        reads,
        chain,
        apiKeys,
        repositories: connectRepositories(config, embedded, log),
        wallets,
      },
      pool,
      embedded,
      async connectChain() {
        if (!source) return null
        return connectContracts(config, contracts, source)
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

/** The configuration, with what the embedded parts make of the settings that are missing in it. */
function withEmbedded(given: Config, embedded: Embedded | undefined): Config {
  return {
    ...given,
    CHAIN_PUBLIC_RPC_URL: given.CHAIN_PUBLIC_RPC_URL ?? embedded?.chain?.rpcUrl,
    DOLLAR_ADDRESS: given.DOLLAR_ADDRESS ?? embedded?.chain?.dollar,
    GITHUB_WEBHOOK_SECRET: given.GITHUB_WEBHOOK_SECRET ?? embedded?.github?.webhookSecret,
    STANDING_MIN_ETH: given.STANDING_MIN_ETH ?? (embedded?.chain && '0'),
    RATE_LIMITS: given.RATE_LIMITS ?? (embedded?.database ? 'off' : 'on'),
    WEBHOOKS_ALLOW_LOOPBACK: given.WEBHOOKS_ALLOW_LOOPBACK ?? embedded?.database !== undefined,
  }
}

function reportState(log: Logger, state: ChainState): void {
  if (state === 'ready') log.warn('the chain responds again')
  else if (state === 'unreachable') log.warn('the chain does not respond; requests that need it get 503')
  else log.error('NEEDS OPERATOR: a node of CHAIN_RPC_URL serves another chain; its replies are ignored')
}

/** Reports each line once, although attempts to reach the chain repeat it. */
function onceEach(report: (line: string) => void): (line: string) => void {
  const reported = new Set<string>()
  return (line) => {
    if (!reported.has(line)) report(line)
    reported.add(line)
  }
}

/** Whether the process runs embedded parts. */
export function needsEmbedded(config: Config): boolean {
  return config.EMBEDDED !== 'off' && Object.values(missingParts(config)).includes(true)
}

async function startMissing(config: Config, report: (line: string) => void): Promise<Embedded | undefined> {
  if (!needsEmbedded(config)) return undefined
  return startEmbedded({
    dataDir: config.DATA_DIR,
    need: missingParts(config),
    organization: config.GITHUB_ORGANIZATION,
    webhookSecret: config.GITHUB_WEBHOOK_SECRET,
    ports: { chain: config.EMBEDDED_CHAIN_PORT, github: config.EMBEDDED_GITHUB_PORT },
    log: { info: report, warn: report },
  })
}
