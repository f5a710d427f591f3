import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { changeOwner, chooseAccount } from '../../../../server/embedded/postgres/account.ts'

/** A folder for the archive of the nodes. */
export interface Archive {
  path: string
  remove(): Promise<void>
}

/** Makes an empty archive as the manual says: it belongs to the nodes' account and has the file `.archive`. */
export async function createArchive(): Promise<Archive> {
  const path = await mkdtemp(join(tmpdir(), 'bounty-marketplace-archive-'))
  await writeFile(join(path, '.archive'), '')
  await changeOwner(path, await chooseAccount(path))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** The path of an empty archive that ends with the test. */
export async function archiveInTest(): Promise<string> {
  const { path, remove } = await createArchive()
  onTestFinished(remove)
  return path
}
