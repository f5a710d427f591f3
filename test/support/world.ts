import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChain } from '../../server/embedded/chain/local-chain.ts'
import { type EmbeddedGitHub, startGitHub } from '../../server/embedded/github/github.ts'
import { createTestChain, type TestChain } from './chain.ts'
import { createTestDatabase } from './database.ts'
import { afterFile } from './leaks/closing.ts'

export const organization = 'test-organization'

type GitHubOptions = Parameters<typeof startGitHub>[0]

/** Programs that write nothing. */
export const quiet = { info: () => undefined, warn: () => undefined }

/** What a service stands on, and the settings that name it. */
export interface World {
  databaseUrl: string
  chain: TestChain
  github: EmbeddedGitHub
  githubToken: string
  settings: Record<string, string>
  release(): Promise<void>
}

/** A database, contracts and a code host of the caller's own; they end with the test file, if not before. */
export async function openWorld({
  git = false,
  extend,
  ...ofChain
}: Partial<Pick<GitHubOptions, 'git' | 'extend'>> &
  Parameters<typeof createTestChain>[0] = {}): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-world-'))
  const githubToken = randomUUID()
  const [database, chain, github] = await Promise.all([
    createTestDatabase(),
    createTestChain(ofChain),
    startGitHub({ ...hostIn(directory), organization, token: githubToken, strict: true, git, extend }),
  ])
  return {
    databaseUrl: database.url,
    chain,
    github,
    githubToken,
    settings: {
      ...settingsOf({ chain, github, githubToken, organization }),
      DATABASE_URL: database.url,
      PORT: '0',
    },
    release: afterFile(async () => {
      await github.stop()
      await Promise.all([database.drop(), rm(directory, { recursive: true, force: true })])
    }),
  }
}

const hostIn = (directory: string) => ({ directory, port: 0, git: false, log: quiet })

/** A node and a code host of the caller's own, which keep in the folder what they have stored, and find it there. */
export async function startNodeAndHost(
  directory: string,
  ofHost: Pick<GitHubOptions, 'organization' | 'token' | 'extend'>,
) {
  const [ofNode, ofGitHub] = ['chain', 'github'].map((name) => join(directory, name)) as [string, string]
  await Promise.all([ofNode, ofGitHub].map((folder) => mkdir(folder, { recursive: true })))
  const [node, github] = await Promise.all([
    startChain({ directory: ofNode, port: 0, log: quiet, persist: false, proxy: false }),
    startGitHub({ ...hostIn(ofGitHub), ...ofHost }),
  ])
  const stop = async () => {
    await Promise.all([node.stop(), github.stop()])
  }
  return { rpcUrl: node.rpcUrl, github, stop }
}

/** The settings of a service that stands on these, without its database. */
export const settingsOf = (parts: {
  chain: Pick<TestChain, 'rpcUrl' | 'operatorKeys' | 'platformWallet'>
  github: { apiUrl: string }
  githubToken: string
  organization: string
  walletMasterKey?: string
}) => ({
  EMBEDDED: 'off',
  RATE_LIMITS: 'off',
  CHAIN_RPC_URL: parts.chain.rpcUrl,
  OPERATOR_PRIVATE_KEYS: parts.chain.operatorKeys.join(','),
  PLATFORM_WALLET_ADDRESS: parts.chain.platformWallet,
  GITHUB_TOKEN: parts.githubToken,
  GITHUB_API_URL: parts.github.apiUrl,
  GITHUB_ORGANIZATION: parts.organization,
  WALLET_MASTER_KEY: parts.walletMasterKey ?? randomUUID() + randomUUID(),
})
