import { execFile, type SpawnOptions } from 'node:child_process'
import { chown, type FileHandle, open, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { EmbeddedError } from '../parts.ts'

/** The operating system account Postgres runs as, where that is not our own. */
export interface Account {
  uid: number
  gid: number
}

/**
 * Postgres refuses to run as root. Started as root, it runs as the owner of its data, at first as `nobody`.
 * `undefined`: our own account will do.
 */
export async function chooseAccount(data: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(data).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const id = async (flag: string) => Number((await promisify(execFile)('id', [flag, 'nobody'])).stdout)
  try {
    return { uid: await id('-u'), gid: await id('-g') }
  } catch {
    throw new EmbeddedError(
      'Postgres does not run as root and there is no account "nobody": set DATABASE_URL or start as another user',
    )
  }
}

/** Hands a file or directory to the account. */
export async function give(path: string, account: Account | undefined): Promise<void> {
  if (account) await chown(path, account.uid, account.gid)
}

/** A directory as a program of another account can name it. */
export interface Opened {
  /** What the program calls the directory. */
  path: string
  /** Merge into the spawn options; `stdio` entries go before the directory's descriptor. */
  options(stdio: [number | 'ignore', number | 'pipe', number | 'pipe']): SpawnOptions
  close(): Promise<void>
}

/**
 * Another account cannot walk to a directory below, say, /root. On Linux it gets the open directory as
 * descriptor 3 instead, which has a path of its own.
 */
export async function openFor(account: Account | undefined, directory: string): Promise<Opened> {
  const own = { env: environment(), cwd: directory, windowsHide: true }
  if (!account || process.platform !== 'linux') {
    return { path: directory, options: (stdio) => ({ ...own, ...account, stdio }), close: async () => {} }
  }
  const handle: FileHandle = await open(directory, 'r')
  return {
    path: '/proc/self/fd/3',
    options: (stdio) => ({ ...own, ...account, cwd: '/', stdio: [...stdio, handle.fd] }),
    close: () => handle.close(),
  }
}

/** Only what the programs need: our own environment may hold secrets. LC_ALL=C keeps messages in English. */
function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']
  const entries = kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  return { ...Object.fromEntries(entries), LC_ALL: 'C' }
}
