import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { createApp } from '../../server/app.ts'
import { createApiKeys, loadChecksumKey } from '../../server/auth/api-keys.ts'
import { createRepositories } from '../../server/code/host/repositories.ts'
import { readConfig } from '../../server/config/config.ts'
import { createWalletVault } from '../../server/crypto/wallet-vault.ts'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { pipelinedReads } from '../../server/db/reads/reads.ts'
import type { EmbeddedGitHub } from '../../server/embedded/github/github.ts'
import type { Timing } from '../../server/loops/timing.ts'
import { connectChain } from '../../server/money/chain/chain.ts'
import { awaitChain, connectedTo } from '../../server/money/chain/connection.ts'
import { compose } from '../../server/startup/compose.ts'
import { witness } from '../openapi/witness.ts'
import { type Api, createApi } from './api.ts'
import type { TestChain } from './chain.ts'
import { notedLog } from './evidence/log.ts'
import { noteSecret } from './evidence/write.ts'
import { afterFile } from './leaks/closing.ts'
import { type OnRequest, requestFaults } from './request-faults.ts'
import { createRpcProxy, type RpcProxy } from './rpc-proxy.ts'
import { createScenarios, type Scenarios } from './scenarios.ts'
import { openWorld, organization, settingsOf } from './world.ts'

/** Differences from the default test market. */
export interface TestMarketOptions {
  /** Settings by the names of their environment variables. */
  settings?: Record<string, string>
  /** Services that the operator has not configured. */
  without?: ('chain' | 'repositories' | 'reader' | 'wallets')[]
  /** Whether no node has responded since the service started; default false. */
  isChainSilent?: boolean
  /** Operator keys; default 1. */
  operators?: number
  /** Whether the contracts take Circle's coin; default true. */
  dollars?: boolean
  /** Address of a node that the test may stop; default: the worker's node. */
  rpcUrl?: string
  /** How many addresses of the node the service has; default 1. */
  nodeAddresses?: number
  /** Whether the service reaches its node through `chainProxy`, which can simulate failures; default false. */
  proxied?: boolean
  /** Uses another market's database, chain and code host, as a second process would; close that market last. */
  sharing?: Pick<TestMarket, 'databaseUrl' | 'chain' | 'github' | 'githubToken'>
  /** Whether the code host has real git, is connected with the service, and signs its webhooks; default false. */
  git?: boolean
  /** Called before each request to the code host. */
  onGitHubRequest?: OnRequest
  /** Whether the engines run; default true. */
  engines?: boolean
  /** Whether the loops run that need no chain: deadlines, event log, webhooks; default false. */
  databaseLoops?: boolean
  /** Pause between two reads of the chain's logs; by default they are read once, when the engines start. */
  followMs?: number
  /** Age of a block at which its logs are read a last time; default 0, so that the cursor is the last final block. */
  logsSettleSeconds?: number
  /** Pause between two searches for withdrawals to settle, in ms; default 250. */
  sweepMs?: number
  /** Pause between two readings of the code host in the background, in ms; default 1,000. */
  pullRequestsMs?: number
  /** Other times of the loops than those of tests. */
  timing?: Partial<Timing>
  /** Silence after which the bytes of an unmined transaction are sent again; default 5. */
  resendAfterSeconds?: number
  log?: Logger
  /** How long requests wait for the chain, in ms; default 30,000: a machine that is busy is no node that hangs. */
  chainPatienceMs?: number
  /** How long the code host may take, its retries included; default 20,000, and 30,000 with git: a machine that is busy is no host that hangs. */
  codeHostMs?: number
}

/** The whole service, listening, with its own database, contracts and code host. */
export interface TestMarket extends Scenarios {
  baseUrl: string
  services: ReturnType<typeof compose>['services']
  db: ReturnType<typeof createDatabase>
  databaseUrl: string
  chain: TestChain
  /** The proxy through which a `proxied` service reaches the chain. */
  chainProxy: RpcProxy
  github: EmbeddedGitHub
  githubToken: string
  api: Api
  startEngines(): void
  stopEngines(): Promise<void>
  /** For a test that has to see it end, or that its engines would disturb. */
  close(): Promise<void>
}

/** Composes the service with real dependencies; only GitHub is a stand-in. It ends with the test file, if not before. */
export async function createTestMarket(options: TestMarketOptions = {}): Promise<TestMarket> {
  const world = await createEnvironment(options)
  const { databaseUrl, chain, github, githubToken: token, release } = world
  const chainProxy = options.proxied ? await createRpcProxy(chain.rpcUrl) : noProxy(chain.rpcUrl)
  const config = readConfig({
    ...settingsOf({ ...world, organization }),
    DATABASE_URL: databaseUrl,
    STANDING_MIN_ETH: '0',
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    ...(options.git && { GITHUB_WEBHOOK_SECRET: github.webhookSecret }),
    ...options.settings,
  })
  const without = new Set(options.without)
  if (config.WALLET_MASTER_KEY) noteSecret('wallet master key', config.WALLET_MASTER_KEY)
  const log = notedLog(options.log)
  const db = createDatabase(createPool(databaseUrl, { size: config.DATABASE_POOL_SIZE }))
  const reads = pipelinedReads(databaseUrl, db)
  const composition = compose({
    config,
    log,
    db,
    reads,
    apiKeys: createApiKeys({ checksumKey: await loadChecksumKey(db) }),
    chain: options.isChainSilent
      ? awaitChain({ isConfigured: true })
      : connectedTo(
          without.has('chain')
            ? null
            : await connect(
                chain,
                Array(options.nodeAddresses ?? 1).fill(chainProxy.url),
                options.chainPatienceMs,
              ),
        ),
    repositories: without.has('repositories')
      ? null
      : createRepositories({
          apiUrl: github.apiUrl,
          organization,
          auth: { token },
          reader: without.has('reader') ? undefined : { token },
          log,
          timeoutMs: options.codeHostMs ?? (options.git ? 30_000 : 20_000),
        }),
    wallets:
      without.has('wallets') || !config.WALLET_MASTER_KEY
        ? null
        : createWalletVault(
            config.WALLET_MASTER_KEY,
            config.WALLET_MASTER_KEY_VERSION,
            config.WALLET_MASTER_KEY_PREVIOUS,
          ),
    timing: {
      busyMs: 10,
      idleMs: 300,
      idleCheckMs: 1000,
      settledCheckMs: 0,
      sweepMs: options.sweepMs ?? 250,
      pullRequestsMs: options.pullRequestsMs ?? 1_000,
      eventsMs: 100,
      webhooksMs: 100,
      followMs: options.followMs ?? 3_600_000,
      logsSettleSeconds: options.logsSettleSeconds ?? 0,
      resendAfterSeconds: options.resendAfterSeconds ?? 5,
      ...options.timing,
    },
  })
  if (options.engines !== false) composition.start()
  const app = await createApp(composition.services)
  const undescribed = witness(app.server)
  await app.listen({ port: 0, host: '127.0.0.1' })
  if (options.databaseLoops) composition.startDatabaseLoops()
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  if (options.git) github.connectTo(baseUrl)
  const api = createApi(baseUrl)
  return {
    baseUrl,
    services: composition.services,
    db,
    databaseUrl,
    chain,
    chainProxy,
    github,
    githubToken: token,
    api,
    ...createScenarios({ api, db, chain, github, token }),
    startEngines: composition.start,
    stopEngines: composition.stop,
    close: afterFile(async () => {
      await app.close()
      await composition.stop()
      await reads.close()
      await db.destroy()
      await chainProxy.close()
      await release()
      const responses = undescribed()
      if (responses.length > 0)
        throw new Error(`The document does not describe these responses:\n${responses.join('\n')}`)
    }),
  }
}

/** In place of the proxy of a market that reaches its node directly. */
function noProxy(url: string): RpcProxy {
  const refused = (): never => {
    throw new Error('the market is not `proxied`')
  }
  return {
    url,
    disconnect: refused,
    stopResponding: refused,
    restore: refused,
    alter: refused,
    refuse: refused,
    hold: refused,
    close: async () => undefined,
  }
}

/** Database, chain and code host: new ones, or another market's. */
async function createEnvironment(options: TestMarketOptions) {
  const { sharing, operators, rpcUrl, git, onGitHubRequest, dollars } = options
  const extend = requestFaults(onGitHubRequest)
  if (sharing) return { ...sharing, release: async () => undefined }
  return openWorld({ operators, rpcUrl, git, extend, dollars })
}

function connect(chain: TestChain, rpcUrls: string[], patienceMs = 30_000) {
  return connectChain({
    name: 'Test chain',
    rpcUrls,
    operators: chain.operatorKeys.map((key) => privateKeyToAccount(key)),
    platformWallet: chain.platformWallet,
    patienceMs,
  })
}
