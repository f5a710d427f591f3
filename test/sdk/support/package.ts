import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from '../../http/serve.ts'
import { afterFile } from '../../support/leaks/closing.ts'

const run = promisify(execFile)

/** The top of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A folder of somebody else's, with the package installed in it. */
export type Installation = Awaited<ReturnType<typeof installPackage>>

/** Installs the package that the service serves into an empty folder, by the command of its README. */
export async function installPackage() {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-sdk-'))
  afterFile(() => rm(directory, { recursive: true, force: true }))
  const tarball = join(directory, 'sdk.tgz')
  /** Runs a program in the folder. Returns what it prints; rejects with what it prints where it fails. */
  async function runThere(program: string, args: string[], environment: Record<string, string> = {}) {
    try {
      return (await run(program, args, { cwd: directory, env: { ...process.env, ...environment } })).stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`)
    }
  }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const served = await serve()
  // The package has no dependencies, so there need not be a registry: npm asks for optional peers, and does without.
  const settings = {
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_fetch_retries: '0',
    npm_config_omit: 'peer',
    npm_config_audit: 'false',
    npm_config_cache: join(directory, '.npm'),
    BOUNTY_MARKETPLACE_URL: served.baseUrl,
  }
  await runThere('sh', ['-eu', '-c', await installCommands()], settings)
  await writeFile(tarball, Buffer.from(await (await fetch(`${served.baseUrl}/sdk.tgz`)).arrayBuffer()))
  await served.close()
  const packed = (await runThere('tar', ['-tzf', tarball])).trim().split('\n')
  await beside(directory)
  return {
    directory,
    /** The archive that the service serves. */
    tarball,
    /** Names of the packed files. */
    files: packed.map((path) => path.replace(/^package\//, '')),
    run: runThere,
    write: (name: string, content: string) => writeFile(join(directory, name), content),
  }
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
