import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGitHub } from '../../server/embedded/github/github.ts'
import { createTestChain } from './chain.ts'
import { createTestDatabase } from './database.ts'
import { afterFile } from './leaks/closing.ts'

export const organization = 'test-organization'

type HostOptions = Pick<Parameters<typeof startGitHub>[0], 'git' | 'extend'>

/** A database, contracts and a code host of the caller's own; they end with the test file, if not before. */
export async function openParts({
  git = false,
  extend,
  ...ofChain
}: HostOptions & Parameters<typeof createTestChain>[0] = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-market-'))
  const githubToken = randomUUID()
  const log = { info: () => undefined, warn: () => undefined }
  const [database, chain, github] = await Promise.all([
    createTestDatabase(),
    createTestChain(ofChain),
    startGitHub({ directory, port: 0, organization, token: githubToken, strict: true, git, log, extend }),
  ])
  return {
    databaseUrl: database.url,
    chain,
    github,
    githubToken,
    release: afterFile(async () => {
      await github.stop()
      await Promise.all([database.drop(), rm(directory, { recursive: true, force: true })])
    }),
  }
}
