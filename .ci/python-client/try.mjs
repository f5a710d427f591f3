// Generates a Python client from the OpenAPI 3.0 document and lets it use the running service. OpenAPI Generator is pinned by the
// lock file beside this; what it generates is kept nowhere.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOf } from '../../test/support/programs.ts'

const here = import.meta.dirname
const root = join(here, '..', '..')
/** Debian's own Python, which is the one that Debian's packages are for. */
const python = '/usr/bin/python3'
const imports = ['-c', 'import certifi, dateutil, urllib3']

/** @param {string} baseUrl address of the service */
export function tryPythonClient(baseUrl) {
  if (!pathOf('java') || !pathOf('python') || spawnSync(python, imports).status !== 0) {
    console.log(`the generated Python client is not tried: it needs java and ${python} ${imports.join(' ')}`)
    return
  }
  const begun = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'python-client-'))
  try {
    run('npm', ['ci', '--silent', '--prefix', here, '--ignore-scripts', '--no-audit', '--no-fund'])
    generate(folder)
    run(python, ['-B', join(here, 'lifecycle.py'), baseUrl], { ...process.env, PYTHONPATH: folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`the generated Python client works (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
}

function generate(folder) {
  const jar = join(here, 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar')
  const document = join(root, 'openapi/openapi-3.0.json')
  // In this version `python` is a predecessor; later ones call this generator `python`.
  const options = [
    '-g',
    'python-experimental',
    '--package-name',
    'bounty_marketplace',
    '-i',
    document,
    '-o',
    folder,
  ]
  run('java', ['-Dlog.level=error', '-jar', jar, 'generate', ...options])
  // All that the client uses of this package, which Debian does not have: a value that no field can have.
  writeFileSync(join(folder, 'nulltype.py'), 'Null = object()\n')
}

function run(program, args, env = process.env) {
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
  if (status === 0) return process.stdout.write(program === python ? stdout : '')
  throw new Error(`${program} ended with ${status}:\n${stdout}\n${stderr}`)
}
