import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Installation, installPackage, root } from './support/package.ts'

const run = promisify(execFile)
const bin = (name: string) => join(root, 'node_modules', '.bin', name)

let installed: Installation
beforeAll(async () => {
  installed = await installPackage()
}, 120_000)
afterAll(() => installed.remove())

/** Uses the whole surface in the ways an agent does, the types included. */
const consumer = `
import { ApiError, Marketplace, type Bounty, type ErrorCode, type Hooks } from '@bounty-marketplace/sdk'

const hooks: Hooks = { onResponse: ({ requestId, status }) => void [requestId, status] }
const market = new Marketplace({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', maxRetries: 0, ...hooks })
const open: Bounty[] = []
const code: ErrorCode | 'unexpected_response' | undefined = await market.bounties
  .create('proj_1', { title: 'A', description: 'B', reward_amount: 1 }, { idempotencyKey: 'k' })
  .then(({ bounty }) => (open.push(bounty), undefined))
  .catch((error: unknown) => (error instanceof ApiError ? error.code : undefined))
// @ts-expect-error an unknown field
market.bounties.create('proj_1', { title: 'A', description: 'B', reward_amount: 1, surprise: 1 }).catch(() => code)
// @ts-expect-error a status that does not exist
market.bounties.list({ status: 'lost' }).catch(() => undefined)
// @ts-expect-error a field that the answer does not have
market.bounties.get('bnt_1').then(({ bounty }) => bounty.surprise, () => undefined)
const step = await market.bounties.iterate({ limit: 5 }).next().catch(() => undefined)
const title: string | undefined = step && !step.done ? step.value.title : undefined

const { project } = await market.projects.get('proj_1')
const repository: string | undefined = project.status === 'active' ? project.repo_url : undefined
// @ts-expect-error only an active project has a repository
project.repo_url

for await (const entry of market.activity.iterate()) {
  switch (entry.type) {
    case 'submission.approved': {
      const net: string = entry.data.net
      // @ts-expect-error a member of another type's data
      entry.data.repo_url
      hooks.onRequest?.({ operation: net, method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'project.activated': {
      const address: string = entry.data.token_address
      hooks.onRequest?.({ operation: address, method: 'GET', url: '', attempt: 1 })
      break
    }
    case 'agent.registered': case 'project.created': case 'bounty.created': case 'bounty.claimed':
    case 'submission.created': case 'submission.rejected':
      break
    default: {
      // Types that newer services add are left, and are strings.
      const added: string = entry.type
      const member: unknown = entry.data['member']
      // @ts-expect-error so the types are never exhausted
      const none: never = entry
      hooks.onRequest?.({ operation: String([added, member, none]), method: 'GET', url: '', attempt: 1 })
    }
  }
}

const polled: Bounty = (await market.bounties.get('bnt_1', { previous: await market.bounties.get('bnt_1') })).bounty
// @ts-expect-error the response of another operation
market.bounties.get('bnt_1', { previous: await market.dashboard.stats() }).catch(() => undefined)
// @ts-expect-error a write has no earlier response
market.bounties.claim('bnt_1', { previous: {} }).catch(() => undefined)
export default [title, repository, polled]
`

test('it holds the built code, its documentation and nothing else', () => {
  const unexpected = installed.files.filter(
    (path) => !/^(dist\/.+\.(js|d\.ts)|README\.md|LICENSE|api\.md|package\.json)$/.test(path),
  )
  expect(unexpected).toEqual([])
  expect(installed.files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/chain/index.d.ts']))
})

test('it brings no other package with it', async () => {
  const modules = await readdir(join(installed.directory, 'node_modules'))
  expect(modules.filter((name) => !name.startsWith('.')).sort()).toEqual(
    ['@bounty-marketplace', '@types', 'undici-types', 'viem'].sort(),
  )
})

describe('its types, checked strictly', () => {
  /** Every option that makes a compiler stricter, and the package's own declarations checked too. */
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
  }
  const surroundings = {
    'Node modules': { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: ['node'] },
    'a bundler and a browser': {
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
    },
  }

  async function check(compiler: string, options: object): Promise<string> {
    await installed.write('consumer.ts', consumer)
    const compilerOptions = { ...strict, ...options }
    await installed.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    return installed.run(compiler, ['-p', '.'])
  }

  test.each(Object.entries(surroundings))(
    'with our own TypeScript, for %s',
    async (_, options) => {
      expect(await check(bin('tsc'), options)).toBe('')
    },
    60_000,
  )

  if (!process.env.CI) console.warn('SKIPPED: other TypeScripts are installed and tried only where CI is set')

  test.skipIf(!process.env.CI).each(['5.5.4', '7.0.2'])(
    'with TypeScript %s',
    async (version) => {
      const prefix = join(installed.directory, `typescript-${version}`)
      const wanted = [
        'install',
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
        '--prefix',
        prefix,
        `typescript@${version}`,
      ]
      await installed.run('npm', wanted)
      const compiler = join(prefix, 'node_modules', 'typescript', 'bin', 'tsc')
      expect(await installed.run(compiler, ['--version'])).toContain(version)
      for (const options of Object.values(surroundings)) expect(await check(compiler, options)).toBe('')
    },
    120_000,
  )
})

test('it runs where it is installed', async () => {
  await installed.write(
    'run.mjs',
    `import { Marketplace } from '@bounty-marketplace/sdk'
     const fetch = async (url, { headers }) => Response.json({ url, key: headers.authorization })
     console.log(JSON.stringify(await new Marketplace({ baseUrl: 'https://a.example', apiKey: 'k', fetch }).agents.me()))`,
  )
  expect(JSON.parse(await installed.run(process.execPath, ['run.mjs']))).toEqual({
    url: 'https://a.example/api/agents/me',
    key: 'Bearer k',
  })
})

test('without /chain it is at most 8 kB, for browsers too, and needs no viem', async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '@bounty-marketplace/sdk'`, resolveDir: installed.directory },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  expect(code.length).toBeGreaterThan(1000)
  expect(gzipSync(code).length).toBeLessThanOrEqual(8 * 1024)
})

test('publint has nothing to say', async () => {
  const { stdout } = await run(bin('publint'), ['--strict', installed.tarball])
  expect(stdout).toContain('All good!')
}, 60_000)

test('its types are right for whoever resolves them', async () => {
  // Exits with 1 where it finds a problem.
  const { stdout } = await run(bin('attw'), [installed.tarball, '--profile', 'esm-only', '--no-emoji'])
  expect(stdout.match(/node16 \(from ESM\): OK|bundler: OK/g)).toHaveLength(6)
}, 60_000)

test('npm would publish it as it is', async () => {
  const args = ['publish', '--dry-run', '--ignore-scripts', '--tag', 'latest']
  const { stderr } = await run('npm', args, { cwd: installed.source })
  const corrected = stderr.split('\n').filter((line) => /npm (warn|error) publish/i.test(line))
  // Nobody is logged in here; that is all it may miss.
  expect(corrected.filter((line) => !line.includes('requires you to be logged in'))).toEqual([])
}, 60_000)
