import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installTools } from './tools.ts'

const kubb = `import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
export default defineConfig({
  input: { path: process.env.DOCUMENT },
  output: { path: 'client' },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch' })],
})`

/** How each package makes a client of the document: its command, and what it needs beside it. */
const generators: Record<string, [command: string, ...beside: string[]]> = {
  '@hey-api/openapi-ts@0.90.10': ['openapi-ts -o client -i DOCUMENT'],
  '@hey-api/openapi-ts@0.99.0': ['openapi-ts -o client -i DOCUMENT'],
  '@kubb/cli@4.39.3': [
    'env DOCUMENT=DOCUMENT kubb generate',
    '@kubb/core@4.39.3',
    '@kubb/plugin-client@4.39.3',
    '@kubb/plugin-oas@4.39.3',
    '@kubb/plugin-ts@4.39.3',
  ],
  'oazapfts@7.5.0': ['oazapfts DOCUMENT client/index.ts', '@oazapfts/runtime@1.2.0'],
  'openapi-typescript@7.13.0': ['openapi-typescript -o client/index.ts DOCUMENT'],
  'orval@7.13.2': ['orval --output client/index.ts --client fetch --input DOCUMENT'],
  'orval@8.38.0': ['orval --output client/index.ts --client fetch --input DOCUMENT'],
  'swagger-typescript-api@13.13.0': ['swagger-typescript-api generate -o client -n index.ts -p DOCUMENT'],
  'typed-openapi@2.2.7': ['typed-openapi -o client/index.ts DOCUMENT'],
}
const compilerOptions = {
  strict: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  noEmit: true,
  // Kubb's imports name files with `.ts`, and the types of its client do not compile.
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

const cases = Object.keys(generators).flatMap((name) =>
  ['openapi.json', 'openapi-3.0.json'].map((file) => [name, file] as const),
)

test.each(cases)(
  'what %s makes of %s compiles as it is',
  async (name, file) => {
    const [command = '', ...beside] = generators[name] ?? []
    const tools = await installTools(name, ...beside, 'typescript@5.9.3')
    await mkdir(join(tools.path, 'client'))
    await writeFile(join(tools.path, 'kubb.config.js'), kubb)
    await writeFile(
      join(tools.path, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['client'] }),
    )
    await tools.run(command.replace(/DOCUMENT(?!=)/, file))
    expect(await tools.run('tsc -p .')).toBe('')
    await tools.remove()
  },
  180_000,
)
