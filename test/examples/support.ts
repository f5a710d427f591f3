import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bundled } from '../support/bundle.ts'
import { createTestMarket, type TestMarket } from '../support/market.ts'
import { sharedChain } from '../support/shared/shared.ts'

/** The top of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** Runs an example with its arguments and returns what it prints; rejects where it exits with anything but 0. */
export async function runExample(name: string, ...args: string[]): Promise<string> {
  const path = join(root, 'examples', name)
  const [program, file] = name.endsWith('.sh') ? ['sh', path] : [process.execPath, await bundled(path)]
  return (await run(program, [file, ...args], { cwd: root })).stdout
}

/** Runs a script of package.json with these variables in addition to ours, and returns what it prints. */
export async function runScript(name: string, env: Record<string, string>): Promise<string> {
  const options = { cwd: root, env: { ...process.env, ...env }, shell: process.platform === 'win32' }
  const { stdout } = await run('npm', ['run', '--silent', name], options)
  return stdout
}

/** A market that tells agents its chain, sends webhooks to this machine, and has a code host with git. */
export async function createExampleMarket(): Promise<TestMarket> {
  const settings = { ...forExamples(await sharedChain()), ACCEPTANCE_HOUR_SECONDS: '2' }
  return createTestMarket({ settings, databaseLoops: true, git: true })
}

/**
 * The same without git: pull requests 1 and 2 of a repository are open by the time anybody asks for them, in this order.
 * @param ownRpcUrl address of the chain's node; default: the worker's
 */
export async function createMarketWithoutGit(
  more: Record<string, string> = {},
  ownRpcUrl?: string,
): Promise<TestMarket> {
  const rpcUrl = ownRpcUrl ?? (await sharedChain())
  const opened = new Set<string>()
  const market: TestMarket = await createTestMarket({
    rpcUrl,
    settings: { ...forExamples(rpcUrl), ...more },
    databaseLoops: true,
    async onGitHubRequest({ method, path }) {
      const [, repository] = /^\/repos\/(.+)\/pulls\/[12]$/.exec(path) ?? []
      if (method !== 'GET' || !repository || opened.has(path)) return
      opened.add(path)
      await market.pullRequest({ repo_url: `${market.github.webUrl}/${repository}` })
    },
  })
  return market
}

function forExamples(rpcUrl: string) {
  return { CHAIN_PUBLIC_RPC_URL: rpcUrl, WEBHOOKS_ALLOW_LOOPBACK: 'true' }
}
