import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfPresent, syncDirectory, writeFileDurably } from '../durable-files.ts'
import { EmbeddedError, errorCode } from '../reporting.ts'
import { type Account, changeOwner, openFor } from './account.ts'

const unfinished = 'initializing-'

/** The superuser's password: random, generated once, in a file that only its owner can read. */
export async function loadOrCreatePassword(directory: string): Promise<string> {
  const path = join(directory, 'password')
  const stored = (await readIfPresent(path))?.trim()
  if (stored) return stored
  const password = randomBytes(24).toString('hex')
  await writeFileDurably(path, `${password}\n`, 0o600)
  return password
}

/**
 * Creates the database cluster `directory/data` if there is none. It is created under another name and renamed when
 * complete, so that a crash half way leaves nothing that looks like a cluster.
 *
 * @returns whether a cluster was created
 */
export async function ensureCluster(
  directory: string,
  options: { initdb: string; account: Account | undefined; password: string; durable: boolean },
): Promise<boolean> {
  const leftovers = (await readdir(directory)).filter((name) => name.startsWith(unfinished))
  await Promise.all(leftovers.map((name) => remove(join(directory, name))))
  const data = join(directory, 'data')
  if (await stat(data).catch(() => undefined)) return false

  const incomplete = join(directory, `${unfinished}${randomBytes(6).toString('hex')}`)
  await mkdir(incomplete, { mode: 0o700 })
  await writeFile(join(incomplete, 'password'), options.password, { mode: 0o600 })
  await changeOwner(incomplete, options.account)
  await changeOwner(join(incomplete, 'password'), options.account)
  await runInitdb(incomplete, options)
  await rename(join(incomplete, 'data'), data)
  await syncDirectory(directory)
  await remove(incomplete)
  return true
}

/** Retries, because an initdb whose parent was killed may still be writing there. */
async function remove(incomplete: string): Promise<void> {
  await rm(incomplete, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

async function runInitdb(
  incomplete: string,
  { initdb, account, durable }: { initdb: string; account: Account | undefined; durable: boolean },
): Promise<void> {
  const opened = await openFor(account, incomplete)
  const flags = ['--username=postgres', `--pwfile=${opened.path}/password`, '--auth=scram-sha-256']
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const quiet = ['--no-instructions', ...(durable ? [] : ['--no-sync'])]
  try {
    const args = ['-D', `${opened.path}/data`, ...flags, ...locale, ...quiet]
    const child = spawn(initdb, args, opened.options(['ignore', 'pipe', 'pipe']))
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) => reject(cannotRun(error)))
      child.once('close', resolve)
    })
    if (code !== 0) {
      const reason = output.split('\n').find((line) => /error|fatal/i.test(line)) ?? output.trim()
      throw new EmbeddedError(`Postgres could not be initialized: ${reason || `initdb ended with ${code}`}`)
    }
  } finally {
    await opened.close()
  }
}

/** ENOENT for an existing program means that its loader is missing: the binaries are built for glibc. */
export function cannotRun(error: Error): EmbeddedError {
  const reason = errorCode(error) === 'ENOENT' ? 'they need glibc' : (errorCode(error) ?? error.message)
  return new EmbeddedError(
    `The embedded Postgres programs do not run on this machine (${reason}): set DATABASE_URL`,
  )
}
