import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDocument, readOperations } from '../generate/document.ts'
import { tgz } from '../pack/archive.ts'
import manifest from '../package.json' with { type: 'json' }
import { apiSource } from './api.ts'

const folder = import.meta.dirname
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

/**
 * The package `bounty-marketplace` as a source distribution, with the version of the npm package. Its build backend is a file of it,
 * so pip installs it without a registry, as it would a wheel, whose address would have to hold the version.
 */
export async function packPython(): Promise<Uint8Array> {
  const { version, license } = manifest
  const document = readDocument()
  const names = ['__init__', 'agent', 'client', 'git', 'market', 'perform', 'webhooks']
  const modules = names.map((name) => `bounty_marketplace/${name}.py`)
  return tgz(
    `bounty_marketplace-${version}`,
    new Map([
      ['pyproject.toml', pyproject(version)],
      ['PKG-INFO', metadata(version, license)],
      ['LICENSE', read('../LICENSE')],
      ['backend.py', read('backend.py')],
      ['bounty_marketplace/api.py', apiSource(document, readOperations(document))],
      ['bounty_marketplace/version.py', `VERSION = "${version}"\n`],
      // Type checkers look for it.
      ['bounty_marketplace/py.typed', ''],
      ...modules.map((path): [string, string] => [path, read(path)]),
    ]),
  )
}

const pyproject = (version: string) => `[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "bounty-marketplace"
version = "${version}"
requires-python = ">=3.9"
`

const metadata = (version: string, license: string) => `Metadata-Version: 2.1
Name: bounty-marketplace
Version: ${version}
Summary: Client of the bounty marketplace, generated from its OpenAPI document
License: ${license}
Requires-Python: >=3.9
Description-Content-Type: text/markdown

${read('README.md')}`
