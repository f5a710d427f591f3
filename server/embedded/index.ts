import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type EmbeddedChain, startChain } from './chain.ts'
import { errorCode } from './files.ts'
import { type EmbeddedGitHub, startGitHub } from './github.ts'
import { lockDirectory } from './lock.ts'
import { EmbeddedError, type Log } from './parts.ts'
import { type EmbeddedPostgres, startPostgres } from './postgres.ts'
import { loadOrCreateSecrets, type Secrets } from './secrets.ts'

export { fundAccount } from './chain.ts'
export { EmbeddedError, type Log } from './parts.ts'

/** The parts a machine with nothing configured runs itself. Those not asked for are `undefined`. */
export interface Embedded {
  /** Generated once for this data directory. */
  secrets: Secrets
  database: { url: string } | undefined
  chain: { rpcUrl: string; chainId: number } | undefined
  github: { apiUrl: string; webUrl: string; organization: string; token: string } | undefined
  /** Ends every part, each with its data on disk, and lets go of the data directory. */
  stop(): Promise<void>
}

/**
 * Brings up the parts that are needed, side by side, with one line to `log` for each. All data lies in `dataDir`,
 * which one process at a time may use.
 *
 * @param options.ports preferred ports; default 8545 for the chain, 3001 for the GitHub stand-in
 * @param options.organization owner of the repositories in the stand-in
 * @throws EmbeddedError, one line for the person at the terminal; nothing is left running then
 */
export async function startEmbedded(options: {
  dataDir: string
  need: { database: boolean; chain: boolean; github: boolean }
  organization: string
  ports?: { chain?: number; github?: number }
  log: Log
}): Promise<Embedded> {
  const { need, organization, ports = {}, log } = options
  const dataDir = await prepare(options.dataDir)
  const unlock = await lockDirectory(dataDir)
  const started: { stop(): Promise<void> }[] = []
  const stop = async () => {
    const results = await Promise.allSettled(started.splice(0).map((part) => part.stop()))
    await unlock()
    const failure = results.find((result) => result.status === 'rejected')
    if (failure) throw failure.reason
  }
  const bringUp = async <Part extends { stop(): Promise<void> }>(
    name: string,
    needed: boolean,
    start: () => Promise<Part>,
  ): Promise<Part | undefined> => {
    if (!needed) return undefined
    const begun = Date.now()
    const part = await start()
    started.push(part)
    log.info(`${name} is up (${Date.now() - begun} ms)`)
    return part
  }
  try {
    const secrets = await loadOrCreateSecrets(dataDir)
    const folder = (name: string) => join(dataDir, name)
    const [database, chain, github] = await allOrFirstFailure<
      [EmbeddedPostgres | undefined, EmbeddedChain | undefined, EmbeddedGitHub | undefined]
    >([
      bringUp('Postgres', need.database, () => startPostgres({ directory: folder('postgres'), log })),
      bringUp('Chain', need.chain, () =>
        startChain({ directory: folder('chain'), port: ports.chain ?? 8545, log }),
      ),
      bringUp('GitHub stand-in', need.github, () =>
        startGitHub({
          directory: folder('github'),
          port: ports.github ?? 3001,
          organization,
          token: secrets.githubToken,
          log,
        }),
      ),
    ])
    return {
      secrets,
      database: database && { url: database.url },
      chain: chain && { rpcUrl: chain.rpcUrl, chainId: chain.chainId },
      github: github && {
        apiUrl: github.apiUrl,
        webUrl: github.webUrl,
        organization,
        token: secrets.githubToken,
      },
      stop,
    }
  } catch (error) {
    await stop().catch(() => {}) // the first failure is the one to tell
    throw error
  }
}

async function prepare(dataDir: string): Promise<string> {
  const path = resolve(dataDir)
  try {
    await mkdir(path, { recursive: true })
    return path
  } catch (error) {
    throw new EmbeddedError(`The data folder ${path} cannot be made (${errorCode(error)}): set DATA_DIR`)
  }
}

/** Like `Promise.all`, but a failure waits for the others, so that what they started can be stopped. */
async function allOrFirstFailure<T extends unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(work)
  return Promise.all(work) as Promise<T>
}
