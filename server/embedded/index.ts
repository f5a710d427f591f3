import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Address } from 'viem'
import { deployDollar, localDollar } from './chain/dollar.ts'
import { type EmbeddedChain, startChain } from './chain/local-chain.ts'
import { type EmbeddedGitHub, startGitHub } from './github/github.ts'
import { lockDirectory } from './lock.ts'
import { startPostgres } from './postgres/postgres.ts'
import { EmbeddedError, errorCode, type Log } from './reporting.ts'
import { loadOrCreateSecrets, type Secrets } from './secrets.ts'

export { fundAccount, mineTowards } from './chain/local-chain.ts'
export { EmbeddedError, type Log } from './reporting.ts'

/** The services that a machine without configuration runs itself. Those that are not needed are `undefined`. */
export interface Embedded {
  /** Generated once for this data directory. */
  secrets: Secrets
  database: { url: string } | undefined
  /** With a stablecoin on it, at `dollar`. */
  chain: { rpcUrl: string; chainId: number; dollar: Address } | undefined
  /** The code host, and how the service reaches it. */
  github: (EmbeddedGitHub & { organization: string; token: string }) | undefined
  /** Ends every service, each with its data on disk, and releases the data directory. */
  stop(): Promise<void>
}

/**
 * Starts the needed services in parallel and logs one line for each. All data is in `dataDir`, which only one process
 * at a time may use.
 *
 * @param options.ports preferred ports; default 8545 for the chain, 3001 for the GitHub stand-in
 * @param options.organization owner of the repositories in the stand-in
 * @param options.webhookSecret signs the deliveries of the stand-in; by default it has one of its own
 * @throws EmbeddedError, one line for the person at the terminal; no service is left running then
 */
export async function startEmbedded(options: {
  dataDir: string
  need: { database: boolean; chain: boolean; github: boolean }
  organization: string
  webhookSecret?: string | undefined
  ports?: { chain?: number; github?: number }
  log: Log
}): Promise<Embedded> {
  const { need, organization, webhookSecret, ports = {}, log } = options
  const { path: dataDir, close } = await openDataFolder(options.dataDir)
  const services = collectServices(log, close)
  const folder = (name: string) => join(dataDir, name)
  try {
    const secrets = await loadOrCreateSecrets(dataDir)
    const token = secrets.githubToken
    const [database, chain, github] = await allOrFirstFailure([
      need.database &&
        services.start('Postgres', () => startPostgres({ directory: folder('postgres'), log })),
      need.chain &&
        services
          .start('Chain', () => startChain({ directory: folder('chain'), port: ports.chain ?? 8545, log }))
          .then(withDollar),
      need.github &&
        services.start('GitHub stand-in', () =>
          startGitHub({
            directory: folder('github'),
            port: ports.github ?? 3001,
            organization,
            token,
            webhookSecret,
            log,
          }),
        ),
    ])
    return {
      secrets,
      database: database ? { url: database.url } : undefined,
      chain: chain ? { rpcUrl: chain.rpcUrl, chainId: chain.chainId, dollar: localDollar } : undefined,
      github: github ? { ...github, organization, token } : undefined,
      stop: services.stop,
    }
  } catch (error) {
    await services.stop().catch(() => {}) // the first failure is the one to report
    throw error
  }
}

/**
 * Creates the data folder if it does not exist, and makes this process the only one that uses it until `close`.
 *
 * @throws EmbeddedError if it cannot be used, or another process uses it
 */
export async function openDataFolder(dataDir: string): Promise<{ path: string; close(): Promise<void> }> {
  const path = await prepare(dataDir)
  return { path, close: await lockDirectory(path) }
}

async function withDollar(chain: EmbeddedChain): Promise<EmbeddedChain> {
  await deployDollar(chain.rpcUrl)
  return chain
}

/** Starts services, logs a line for each, and stops all that were started. */
function collectServices(log: Log, unlock: () => Promise<void>) {
  const started: { stop(): Promise<void> }[] = []
  return {
    async start<Service extends { stop(): Promise<void> }>(name: string, start: () => Promise<Service>) {
      const begun = Date.now()
      const service = await start()
      started.push(service)
      log.info(`${name} is up (${Date.now() - begun} ms)`)
      return service
    },
    async stop() {
      const results = await Promise.allSettled(started.splice(0).map((service) => service.stop()))
      await unlock()
      const failure = results.find((result) => result.status === 'rejected')
      if (failure) throw failure.reason
    },
  }
}

async function prepare(dataDir: string): Promise<string> {
  const path = resolve(dataDir)
  try {
    await makeFolder(path)
    // Permissions are not enough: nothing can be created in /proc, on a full disk or on a read-only one.
    await rm(await mkdtemp(join(path, 'writable-')), { recursive: true })
    return path
  } catch (error) {
    throw new EmbeddedError(`The data folder ${path} cannot be used (${errorCode(error)}): set DATA_DIR`)
  }
}

/** Creates the folder and its parents. Node's own `recursive` retries forever where no folder can be created. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const parent = dirname(path)
    if (errorCode(error) === 'EEXIST') return
    if (errorCode(error) !== 'ENOENT' || (await stat(parent).catch(() => undefined))) throw error
    await makeFolder(parent)
    await mkdir(path)
  }
}

/** Like `Promise.all`, but after a failure it waits for the others, so that the services they start can be stopped. */
async function allOrFirstFailure<T extends readonly unknown[]>(work: readonly [...T]) {
  await Promise.allSettled(work)
  return Promise.all(work)
}
