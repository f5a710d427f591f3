import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterFile } from '../../support/leaks/closing.ts'

/** Installs the package for Python that a service serves into a new folder, for `PYTHONPATH`. */
export async function installPython(baseUrl: string): Promise<string> {
  const site = await mkdtemp(join(tmpdir(), 'bounty-marketplace-python-'))
  afterFile(() => rm(site, { recursive: true, force: true }))
  // Without an index: the package needs nothing of a registry, neither to be built nor to run.
  const flags = ['--quiet', '--no-index', '--no-cache-dir', '--target', site]
  const { python } = (await (await fetch(`${baseUrl}/sdk.json`)).json()) as { python: { url: string } }
  await promisify(execFile)('python3', ['-m', 'pip', 'install', ...flags, python.url])
  return site
}
