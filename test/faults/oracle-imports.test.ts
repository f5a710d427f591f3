import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

const files = [
  'oracle.ts',
  'payments.ts',
  'withdrawals.ts',
  'dollars.ts',
  'rules.ts',
  'expected.ts',
  'stored-first.ts',
].map((file) => `oracle/${file}`)

test.each([...files, 'wallets.ts'])(
  'what %s expects of the service is computed without any code of the service',
  async (file) => {
    const { metafile } = await build({
      entryPoints: [join(root, 'test/faults/support', file)],
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
    })
    const outside = Object.keys(metafile.inputs).filter((path) => !path.startsWith('test/faults/support/'))
    expect(outside).toEqual([])
  },
)
