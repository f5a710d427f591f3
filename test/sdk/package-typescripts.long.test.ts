import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chainConsumer, checkTypes, compileReadme, environments } from './support/consumer.ts'
import { installPackage } from './support/package.ts'

const installed = await installPackage()

// The README names the oldest.
test.each(['5.4.5', '5.5.4', '5.9.3', '7.0.2'])(
  'the types of the package satisfy TypeScript %s',
  async (version) => {
    const prefix = join(installed.directory, `typescript-${version}`)
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--prefix', prefix]
    await installed.run('npm', ['install', ...flags, `typescript@${version}`])
    const compiler = join(prefix, 'node_modules', 'typescript', 'bin', 'tsc')
    expect(await installed.run(compiler, ['--version'])).toContain(version)
    for (const options of Object.values(environments))
      expect(await checkTypes(installed, compiler, options)).toBe('')
    // In Node the types of ox, which viem's are made of, need `skipLibCheck`, whatever the version.
    const bundler = environments['a bundler and a browser']
    expect(await checkTypes(installed, compiler, bundler, chainConsumer)).toBe('')
    await compileReadme(installed, compiler)
  },
  120_000,
)
