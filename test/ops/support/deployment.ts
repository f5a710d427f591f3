import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { openParts, organization } from '../../support/parts.ts'

export { organization }

/** What a configured service stands on, and the settings that name it. */
export type Deployment = Awaited<ReturnType<typeof openDeployment>>

/** A database, contracts and a code host of the test's own, gone after it. */
export async function deployment(options?: { operators?: number }): Promise<Deployment> {
  const opened = await openDeployment(options)
  onTestFinished(opened.release)
  return opened
}

/** The same for several tests, gone with the test file. */
export async function openDeployment(options?: { operators?: number }) {
  const around = await openParts(options)
  const { chain, github } = around
  const settings: Record<string, string> = {
    EMBEDDED: 'off',
    PORT: '0',
    DATABASE_URL: around.databaseUrl,
    CHAIN_RPC_URL: chain.rpcUrl,
    OPERATOR_PRIVATE_KEYS: chain.operatorKeys.join(','),
    PLATFORM_WALLET_ADDRESS: chain.platformWallet,
    GITHUB_TOKEN: around.githubToken,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_ORGANIZATION: organization,
    WALLET_MASTER_KEY: randomUUID() + randomUUID(),
    RATE_LIMITS: 'off',
  }
  return { ...around, settings }
}
