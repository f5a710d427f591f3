import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../../../sdk/package.json' with { type: 'json' }
import { packPython } from '../../../sdk/python/pack.ts'
import { afterFile } from '../../support/leaks/closing.ts'

const python = (...args: string[]) => promisify(execFile)('python3', ['-m', ...args])

/** Installs the package for Python that a service serves into a new folder, for `PYTHONPATH`. */
export async function installPython(baseUrl: string): Promise<string> {
  const site = await newFolder()
  // Without an index: the package needs nothing of a registry, neither to be built nor to run.
  const flags = ['--quiet', '--no-index', '--no-cache-dir', '--target', site]
  const served = (await (await fetch(`${baseUrl}/sdk.json`)).json()) as { python: { url: string } }
  await python('pip', 'install', ...flags, served.python.url)
  return site
}

/** The same package without pip and a service. */
export async function unpackPython(): Promise<string> {
  const folder = await newFolder()
  const archive = join(folder, 'sdk-python.tgz')
  await writeFile(archive, await packPython())
  await python('tarfile', '--extract', archive, folder)
  return join(folder, `bounty_marketplace-${manifest.version}`)
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-python-'))
  afterFile(() => rm(folder, { recursive: true, force: true }))
  return folder
}
