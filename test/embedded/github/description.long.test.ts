import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support.ts'
import { extract, names } from './extract.ts'
import { extractPath } from './openapi.ts'

/** GitHub's descriptions, of which a clone installs none: they are 390 MB. */
const published = '@octokit/openapi@23.0.2'

/* `npm run test:long -- test/embedded/github/description -u` writes the extract. */
test('the extract is what the descriptions that GitHub publishes say', async () => {
  const folder = join(root, '.cache', published.replaceAll('/', '-'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', published]
  execFileSync('npm', words, { cwd: folder })
  const [github, enterprise] = names.map((name) =>
    JSON.parse(readFileSync(join(folder, 'node_modules/@octokit/openapi/generated', `${name}.json`), 'utf8')),
  )
  await expect(extract({ 'api.github.com': github, 'ghes-3.19': enterprise })).toMatchFileSnapshot(
    extractPath,
  )
}, 600_000)
