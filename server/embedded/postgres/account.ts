import { execFile, type SpawnOptions } from 'node:child_process'
import { chown, type FileHandle, open, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { EmbeddedError } from '../reporting.ts'

/** The operating system account that Postgres runs as, if it is not our own. */
export interface Account {
  uid: number
  gid: number
}

/**
 * Postgres refuses to run as root. If we are root, it runs as the owner of its data, or as `nobody` if there is no data
 * yet. `undefined`: it runs as our own account.
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

/** Makes the account the owner of a file or directory. */
export async function changeOwner(path: string, account: Account | undefined): Promise<void> {
  if (account) await chown(path, account.uid, account.gid)
}

/** A directory that a program of another account can open. */
export interface Opened {
  /** The directory's path for the program. */
  path: string
  /** The options to spawn the program with. The directory's descriptor is added to `stdio`. */
  options(stdio: [number | 'ignore', number | 'pipe', number | 'pipe']): SpawnOptions
  close(): Promise<void>
}

/**
 * Another account cannot enter a directory below, for example, /root. On Linux the program therefore inherits the open
 * directory as descriptor 3, which has its own path.
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

/** Only what the programs need, because our own environment may contain secrets. LC_ALL=C keeps messages in English. */
function environment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']
  const entries = names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  return { ...Object.fromEntries(entries), LC_ALL: 'C' }
}
