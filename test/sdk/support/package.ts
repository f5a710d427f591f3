import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The top of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A folder of somebody else's, with the packed package installed in it. */
export interface Installation {
  directory: string
  /** What was packed. */
  source: string
  /** The packed file. */
  tarball: string
  /** Names of the packed files. */
  files: string[]
  /** Runs a program in the folder; answers what it prints, rejects with what it prints where it fails. */
  run(program: string, args: string[], environment?: Record<string, string>): Promise<string>
  write(name: string, content: string): Promise<void>
  remove(): Promise<void>
}

/**
 * Installs the package into an empty folder by the commands of its README, from a copy of what they need of the
 * repository, so that tests do not meet.
 */
export async function installPackage(): Promise<Installation> {
  const parent = await mkdtemp(join(tmpdir(), 'bounty-marketplace-sdk-'))
  const source = await copyRepository(join(parent, 'bounty-marketplace'))
  const directory = join(parent, 'own')
  await mkdir(directory)
  const installation: Omit<Installation, 'files' | 'tarball'> = {
    directory,
    source,
    async run(program, args, environment = {}) {
      try {
        return (await run(program, args, { cwd: directory, env: { ...process.env, ...environment } })).stdout
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string }
        throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`)
      }
    },
    write: (name, content) => writeFile(join(directory, name), content),
    remove: () => rm(parent, { recursive: true, force: true }),
  }
  await installation.write('package.json', JSON.stringify({ private: true, type: 'module' }))
  // The package has no dependencies, so nothing is asked of a registry.
  const settings = { npm_config_offline: 'true', npm_config_omit: 'peer', npm_config_audit: 'false' }
  await installation.run('sh', ['-eu', '-c', await installCommands()], settings)
  const [tarball = ''] = (await readdir(directory)).filter((name) => name.endsWith('.tgz'))
  const { stdout } = await run('tar', ['-tzf', tarball], { cwd: directory })
  const files = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
  await beside(directory)
  return { ...installation, files, tarball: join(directory, tarball) }
}

/** Copies what the package is built from to `target`; answers where the package lies in it. */
async function copyRepository(target: string): Promise<string> {
  const sdk = join(target, 'sdk')
  await mkdir(target)
  for (const name of ['package.json', 'tsconfig.json']) await copyFile(join(root, name), join(target, name))
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'))
  await mkdir(join(target, 'openapi'))
  await copyFile(join(root, 'openapi/openapi.json'), join(target, 'openapi/openapi.json'))
  const notBuilt = (path: string) => !/[\\/]sdk[\\/](dist|node_modules)$/.test(path)
  await cp(join(root, 'sdk'), sdk, { recursive: true, filter: notBuilt })
  return sdk
}

/** What the README says for installing the package. */
async function installCommands(): Promise<string> {
  const readme = await readFile(join(root, 'sdk', 'README.md'), 'utf8')
  return /^```sh\n(.*?)^```$/ms.exec(readme)?.[1] ?? ''
}

/** What a user may have installed beside it. */
async function beside(directory: string): Promise<void> {
  const modules = join(directory, 'node_modules')
  await mkdir(join(modules, '@types'), { recursive: true })
  for (const name of ['viem', '@hpke', '@types/node', 'undici-types'])
    await symlink(join(root, 'node_modules', name), join(modules, name))
}
