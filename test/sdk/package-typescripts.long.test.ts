import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkTypes, compileReadme, surroundings } from './support/consumer.ts'
import { type Installation, installPackage } from './support/package.ts'

let installed: Installation
beforeAll(async () => {
  installed = await installPackage()
}, 120_000)
afterAll(() => installed.remove())

// The README names the oldest.
test.each(['5.4.5', '5.5.4', '5.9.3', '7.0.2'])(
  'the types of the package satisfy TypeScript %s',
  async (version) => {
    const prefix = join(installed.directory, `typescript-${version}`)
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--prefix', prefix]
    await installed.run('npm', ['install', ...flags, `typescript@${version}`])
    const compiler = join(prefix, 'node_modules', 'typescript', 'bin', 'tsc')
    expect(await installed.run(compiler, ['--version'])).toContain(version)
    for (const options of Object.values(surroundings))
      expect(await checkTypes(installed, compiler, options)).toBe('')
    await compileReadme(installed, compiler)
  },
  120_000,
)
