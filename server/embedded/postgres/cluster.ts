import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, readIfPresent, syncDirectory, writeFileDurably } from '../files.ts'
import { EmbeddedError } from '../parts.ts'
import { type Account, give, openFor } from './account.ts'

const unfinished = 'initializing-'

/** The superuser's password: random, in a file only its owner reads, made once. */
export async function loadOrCreatePassword(directory: string): Promise<string> {
  const path = join(directory, 'password')
  const stored = (await readIfPresent(path))?.trim()
  if (stored) return stored
  const password = randomBytes(24).toString('hex')
  await writeFileDurably(path, `${password}\n`, 0o600)
  return password
}

/**
 * Makes the database cluster `directory/data` if there is none. It grows under another name and is renamed when
 * complete, so that a crash half way leaves nothing that looks like a cluster.
 *
 * @returns whether a cluster was made
 */
export async function ensureCluster(
  directory: string,
  options: { initdb: string; account: Account | undefined; password: string; durable: boolean },
): Promise<boolean> {
  const leftovers = (await readdir(directory)).filter((name) => name.startsWith(unfinished))
  await Promise.all(leftovers.map((name) => remove(join(directory, name))))
  const data = join(directory, 'data')
  if (await stat(data).catch(() => undefined)) return false

  const workshop = join(directory, `${unfinished}${randomBytes(6).toString('hex')}`)
  await mkdir(workshop, { mode: 0o700 })
  await writeFile(join(workshop, 'password'), options.password, { mode: 0o600 })
  await give(workshop, options.account)
  await give(join(workshop, 'password'), options.account)
  await runInitdb(workshop, options)
  await rename(join(workshop, 'data'), data)
  await syncDirectory(directory)
  await remove(workshop)
  return true
}

/** An initdb whose parent was killed may still be writing there. */
async function remove(workshop: string): Promise<void> {
  await rm(workshop, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

async function runInitdb(
  workshop: string,
  { initdb, account, durable }: { initdb: string; account: Account | undefined; durable: boolean },
): Promise<void> {
  const opened = await openFor(account, workshop)
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

/** A program that is there and yet "not found" lacks its loader: the binaries are for glibc. */
export function cannotRun(error: Error): EmbeddedError {
  const reason = errorCode(error) === 'ENOENT' ? 'they need glibc' : (errorCode(error) ?? error.message)
  return new EmbeddedError(`The embedded Postgres programs do not run here (${reason}): set DATABASE_URL`)
}
