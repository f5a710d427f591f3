import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const document = fileURLToPath(new URL('../../openapi/openapi.json', import.meta.url))
const generators = [
  ['@hey-api/openapi-ts@0.90.10', 'openapi-ts', ['-i', document, '-o', 'client']],
  ['orval@7.13.2', 'orval', ['--input', document, '--output', 'client/index.ts', '--client', 'fetch']],
] as const

test.each(generators)(
  'what %s makes of the document compiles as it is',
  async (name, program, args) => {
    const cwd = await mkdtemp(join(tmpdir(), 'bounty-marketplace-generator-'))
    const packages = ['install', '--prefer-offline', '--no-audit', '--no-fund', name, 'typescript@5.9.3']
    const compilerOptions = {
      strict: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      noEmit: true,
    }
    await writeFile(join(cwd, 'package.json'), '{"private":true,"type":"module"}')
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['client'] }))
    await run('npm', packages, { cwd })
    await run(join('node_modules', '.bin', program), args, { cwd })
    const { stdout } = await run(join('node_modules', '.bin', 'tsc'), ['-p', '.'], { cwd })
    expect(stdout).toBe('')
    await rm(cwd, { recursive: true, force: true })
  },
  180_000,
)
