import { copyFile, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { watchProcesses } from './evidence/processes.ts'
import { searchEvidence } from './evidence/search.ts'
import { hidePrograms } from './programs.ts'
import { serveSharedParts } from './shared/serve.ts'

/** Offers what the whole run shares, and searches at the end for secrets in what it has left. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const showPrograms = hidePrograms()
  const directory = await mkdtemp(join(await quickFolder(), 'bounty-marketplace-test-'))
  const evidence = join(directory, 'evidence')
  await mkdir(evidence)
  project.provide('evidence', evidence)
  const stopWatching = watchProcesses(evidence)
  const parts = await serveSharedParts(directory)
  project.provide('sharedParts', parts.url)
  return async () => {
    await parts.stop()
    stopWatching()
    showPrograms()
    // There is none where no test has used a database.
    await copyFile(join(directory, 'postgres', 'postgres.log'), join(evidence, 'postgres.log')).catch(
      () => undefined,
    )
    const found = await searchEvidence(evidence)
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    report(found)
  }
}

/** Memory, where this machine has enough of it as a folder: a database is copied there in an eighth of the time. */
async function quickFolder(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail = 0, bsize = 0 } = await statfs(memory).catch(
    () => ({}) as { bavail?: number; bsize?: number },
  )
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

function report({ secrets, bytes, hits }: Awaited<ReturnType<typeof searchEvidence>>): void {
  const searched = `${secrets} secrets in ${(bytes / 2 ** 20).toFixed(0)} MB of logs, errors, rows and process titles`
  console.log(`Searched for ${searched}: ${hits.length} found`)
  if (hits.length === 0) return
  const lines = hits.slice(0, 20).map(({ what, file, context }) => `${what} in ${file}: ${context}`)
  // vitest reports an error of a teardown, but exits with code 0.
  process.exitCode = 1
  throw new Error(`Secrets have leaked:\n${lines.join('\n')}`)
}
