import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Marketplace } from '@bounty-marketplace/sdk'
import { deliver, logIn } from '@bounty-marketplace/sdk/git'

const run = promisify(execFile)

/**
 * Opens a pull request that adds a file, for examples that are about something else. Where the code host gives no tokens, it is
 * the first pull request of the repository: somebody has to open it, or the code host has no git and counts every number.
 */
export async function openPullRequest(
  contributor: Marketplace,
  { repoUrl, bountyId }: { repoUrl: string; bountyId: string },
): Promise<string> {
  if (!(await logIn(contributor).catch(() => undefined))) return `${repoUrl}/pull/1`
  const task = { id: bountyId, bounty_id: bountyId, submission_id: null }
  return deliver(contributor, task, (folder) =>
    writeFile(join(folder, `${bountyId}.md`), 'The work goes here.\n'),
  )
}

/** Whether the tests of a folder pass. Run the code of others in a sandbox: it may do whatever this process may. */
export async function testsPass(directory: string): Promise<boolean> {
  try {
    await run(process.execPath, ['--test'], { cwd: directory, timeout: 60_000 })
    return true
  } catch {
    return false
  }
}
