import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
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

/** Builds and packs the package, beside the tree so that tests do not meet, and installs it into an empty folder. */
export async function installPackage(): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-sdk-'))
  const source = join(directory, 'source')
  const sdk = join(root, 'sdk')
  await mkdir(source)
  for (const name of ['package.json', 'README.md', 'LICENSE', 'api.md'])
    await copyFile(join(sdk, name), join(source, name))
  const compile = ['-p', join(sdk, 'tsconfig.json'), '--outDir', join(source, 'dist')]
  await run(join(root, 'node_modules', '.bin', 'tsc'), compile)
  const pack = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', directory]
  const packed = await run('npm', pack, { cwd: source })
  const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }]
  const tarball = join(directory, filename)
  const installation: Installation = {
    directory,
    source,
    tarball,
    files: files.map(({ path }) => path),
    async run(program, args, environment = {}) {
      try {
        return (await run(program, args, { cwd: directory, env: { ...process.env, ...environment } })).stdout
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string }
        throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`)
      }
    },
    write: (name, content) => writeFile(join(directory, name), content),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
  await installation.write('package.json', JSON.stringify({ private: true, type: 'module' }))
  // The package has no dependencies, so nothing is asked of a registry.
  await installation.run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--omit=peer', tarball])
  await beside(directory)
  return installation
}

/** What a user may have installed beside it. */
async function beside(directory: string): Promise<void> {
  const modules = join(directory, 'node_modules')
  await mkdir(join(modules, '@types'), { recursive: true })
  for (const name of ['viem', '@types/node', 'undici-types'])
    await symlink(join(root, 'node_modules', name), join(modules, name))
}
