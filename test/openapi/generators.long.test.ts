import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { formOf } from '../../openapi/forms.ts'
import { readDocument } from './truth.ts'

const run = promisify(execFile)
const orval = ['--output', 'client/index.ts', '--client', 'fetch', '--input']
const generators = [
  ['@hey-api/openapi-ts@0.90.10', 'openapi.json', 'openapi-ts', ['-o', 'client', '-i']],
  ['@hey-api/openapi-ts@0.90.10', 'openapi-3.0.json', 'openapi-ts', ['-o', 'client', '-i']],
  ['orval@7.13.2', 'openapi.json', 'orval', orval],
  ['orval@7.13.2', 'openapi-3.0.json', 'orval', orval],
  ['openapi-typescript@7.13.0', 'openapi.json', 'openapi-typescript', ['-o', 'client/index.ts']],
] as const

test.each(generators)(
  'what %s makes of %s compiles as it is',
  async (name, file, program, args) => {
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
    await writeFile(join(cwd, file), formOf(readDocument(), `/${file}`) ?? '')
    await writeFile(join(cwd, 'package.json'), '{"private":true,"type":"module"}')
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['client'] }))
    await run('npm', packages, { cwd })
    await run(join('node_modules', '.bin', program), [...args, file], { cwd })
    const { stdout } = await run(join('node_modules', '.bin', 'tsc'), ['-p', '.'], { cwd })
    expect(stdout).toBe('')
    await rm(cwd, { recursive: true, force: true })
  },
  180_000,
)
