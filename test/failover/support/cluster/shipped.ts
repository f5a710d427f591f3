import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chooseAccount } from '../../../../server/embedded/postgres/account.ts'

/** The folder with the files that operators use. */
export const shipped = fileURLToPath(new URL('../../../../server/ops/cluster', import.meta.url))

/** Runs a command of that folder as the account that owns `folder`, and throws with its output if it fails. */
export async function runShipped(
  name: string,
  args: string[],
  options: { folder: string; environment: Record<string, string> },
): Promise<void> {
  await promisify(execFile)(join(shipped, name), args, {
    cwd: options.folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...options.environment },
    ...(await chooseAccount(options.folder)),
  })
}
