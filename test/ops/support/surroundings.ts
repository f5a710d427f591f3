import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startGitHub } from '../../../server/embedded/github/github.ts'
import { createTestChain, type TestChain } from '../../support/chain.ts'
import { createTestDatabase } from '../../support/database.ts'

const quiet = { info: () => undefined, warn: () => undefined }
export const organization = 'test-organization'

/** What a configured service stands on, and the settings that name it. */
export interface Surroundings {
  chain: TestChain
  databaseUrl: string
  github: Awaited<ReturnType<typeof startGitHub>>
  githubToken: string
  settings: Record<string, string>
}

/** A database, contracts and a code host of the test's own, gone after it. */
export async function surroundings(options?: { operators?: number }): Promise<Surroundings> {
  const opened = await openSurroundings(options)
  onTestFinished(opened.release)
  return opened
}

/** The same for several tests; `release` ends them. */
export async function openSurroundings(options?: {
  operators?: number
}): Promise<Surroundings & { release(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-operate-'))
  const githubToken = randomUUID()
  const [database, chain, github] = await Promise.all([
    createTestDatabase(),
    createTestChain(options),
    startGitHub({
      directory,
      port: 0,
      organization,
      token: githubToken,
      strict: true,
      git: false,
      log: quiet,
    }),
  ])
  const release = async () => {
    await github.stop()
    await Promise.all([database.drop(), rm(directory, { recursive: true, force: true })])
  }
  const settings = {
    EMBEDDED: 'off',
    PORT: '0',
    DATABASE_URL: database.url,
    CHAIN_RPC_URL: chain.rpcUrl,
    OPERATOR_PRIVATE_KEYS: chain.operatorKeys.join(','),
    PLATFORM_WALLET_ADDRESS: chain.platformWallet,
    GITHUB_TOKEN: githubToken,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_ORGANIZATION: organization,
    WALLET_MASTER_KEY: randomUUID() + randomUUID(),
    RATE_LIMITS: 'off',
  }
  return { chain, databaseUrl: database.url, github, githubToken, settings, release }
}
