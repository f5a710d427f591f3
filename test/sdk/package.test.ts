import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { expect, test } from 'vitest'
import { definitions } from '../../sdk/src/generated/tools.ts'
import { createMarketWithoutGit } from '../examples/support.ts'
import { checkTypes, compileReadme, environments } from './support/consumer.ts'
import { installPackage, root } from './support/package.ts'

const run = promisify(execFile)
const bin = (name: string) => join(root, 'node_modules', '.bin', name)

const installed = await installPackage()

test('it holds the built code with its sources, its documents and nothing else', () => {
  const unexpected = installed.files.filter(
    (path) =>
      !/^(dist\/.+\.(js|d\.ts)(\.map)?|src\/.+\.ts|dist\/(openapi|tools)\.json|(README|api)\.md|LICENSE|(package|jsr)\.json)$/.test(
        path,
      ),
  )
  expect(unexpected).toEqual([])
  expect(installed.files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/chain/index.d.ts']))
})

test('every source map leads to a file of the package', async () => {
  const packed = join(installed.directory, 'node_modules', '@bounty-marketplace', 'sdk')
  const maps = installed.files.filter((path) => path.endsWith('.map'))
  const built = installed.files.filter((path) => /^dist\/.+\.(js|d\.ts)$/.test(path))
  expect(maps.map((path) => path.replace(/\.map$/, '')).sort()).toEqual(built.sort())
  for (const path of maps) {
    const { sources } = JSON.parse(await readFile(join(packed, path), 'utf8')) as { sources: string[] }
    for (const source of sources) expect(installed.files).toContain(join(dirname(path), source))
  }
})

test('a stack trace names the lines of the sources', async () => {
  await installed.write(
    'trace.mjs',
    `import { Marketplace } from '@bounty-marketplace/sdk'
     try { new Marketplace({ baseUrl: 'ftp://a' }) } catch (error) { console.log(error.stack) }`,
  )
  const trace = await installed.run(process.execPath, ['--enable-source-maps', 'trace.mjs'])
  const [, line] = /src[\\/]core[\\/]request\.ts:(\d+):/.exec(trace) ?? []
  const source = await readFile(join(root, 'sdk', 'src', 'core', 'request.ts'), 'utf8')
  expect(source.split('\n')[Number(line) - 1]).toContain('must be an http(s) address')
})

test('it brings no other package with it', async () => {
  const modules = await readdir(join(installed.directory, 'node_modules'))
  expect(modules.filter((name) => !name.startsWith('.')).sort()).toEqual(
    ['@bounty-marketplace', '@hpke', '@types', 'undici-types', 'viem'].sort(),
  )
})

/** Static imports are resolved before any code of ours runs, so the message is the platform's. */
test('without its peer an entry names the missing package, and its docs how to install it', async () => {
  const bare = await mkdtemp(join(tmpdir(), 'bounty-marketplace-bare-'))
  const packed = join(bare, 'node_modules', '@bounty-marketplace', 'sdk')
  await mkdir(packed, { recursive: true })
  await run('tar', ['-xzf', installed.tarball, '--strip-components=1', '-C', packed])
  const { exports, peerDependencies } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'))
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'))
  await writeFile(
    join(bare, 'imports.mjs'),
    `for (const entry of ${JSON.stringify(entries)}) {
       const error = await import('@bounty-marketplace/sdk' + entry.slice(1)).then(() => undefined, (thrown) => thrown)
       if (error) console.log(entry, error.code, error.message)
     }`,
  )
  const { stdout } = await run(process.execPath, ['imports.mjs'], { cwd: bare })
  await rm(bare, { recursive: true })
  const missing = "ERR_MODULE_NOT_FOUND Cannot find package '([^']+)' imported from"
  const found = [...stdout.matchAll(new RegExp(`^(\\S+) ${missing}`, 'gm'))].map(([, ...names]) => names)
  expect(stdout.trim().split('\n')).toHaveLength(2)
  expect(found).toEqual([
    ['./chain', 'viem'],
    ['./wallet', '@hpke/chacha20poly1305'],
  ])
  const readme = await readFile(join(root, 'sdk', 'README.md'), 'utf8')
  const chain = 'npm install viem'
  const wallet = 'npm install @hpke/core @hpke/chacha20poly1305'
  expect(`${chain} ${wallet}`.split(' ')).toEqual(expect.arrayContaining(Object.keys(peerDependencies)))
  for (const [entry, command] of Object.entries({ chain, wallet })) {
    expect(readme).toContain(`\`${command}\``)
    const declarations = join(
      installed.directory,
      `node_modules/@bounty-marketplace/sdk/dist/${entry}/index.d.ts`,
    )
    expect(await readFile(declarations, 'utf8')).toContain(`\`${command}\``)
  }
})

test('its types satisfy our own TypeScript, as strict as it can be', async () => {
  expect(await checkTypes(installed, bin('tsc'), environments['Node modules'])).toBe('')
})

test('the snippets of the README compile and run as one program', async () => {
  const market = await createMarketWithoutGit()
  await compileReadme(installed, bin('tsc'))
  const { privateKey, address } = await market.chain.fundedAccount()
  const printed = await installed.run(process.execPath, ['readme.js'], {
    BOUNTY_MARKETPLACE_URL: market.baseUrl,
    WALLET_KEY: privateKey,
    OWN_ADDRESS: address,
  })
  await market.close()
  expect(printed).toContain('other Is 2026-W53-7 valid?\nfounder Yes, and 2027-W53 is not.\n')
  expect(printed).toMatch(/changes_requested Please add a test\.\n0x[0-9a-f]{64}\n/)
  expect(printed).toContain('somebody was faster')
  expect(printed).toMatch(/agents\.me 200 [\d.]+ my-own-id/)
  expect(printed).toMatch(/1000 tokens cost \d+ wei/)
})

test('CommonJS loads it: with import() everywhere, with require() on Node 20.19 and newer', async () => {
  await installed.write(
    'commonjs.cjs',
    `const { Marketplace } = require('@bounty-marketplace/sdk')
     const { tools } = require('@bounty-marketplace/sdk/tools')
     import('@bounty-marketplace/sdk').then((imported) => {
       const market = new Marketplace({ baseUrl: 'https://a.example' })
       console.log(JSON.stringify([imported.Marketplace === Marketplace, market.baseUrl, tools(market).definitions.length]))
     })`,
  )
  expect(JSON.parse(await installed.run(process.execPath, ['commonjs.cjs']))).toEqual([
    true,
    'https://a.example',
    expect.any(Number),
  ])
})

test('its documents are those of the service', async () => {
  const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
  await installed.write(
    'documents.cjs',
    `const { createHash } = require('node:crypto')
     const digest = (value) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
     console.log(['openapi', 'tools'].map((name) => digest(require('@bounty-marketplace/sdk/' + name + '.json'))).join(' '))`,
  )
  const document = JSON.parse(await readFile(join(root, 'openapi/openapi.json'), 'utf8'))
  const printed = (await installed.run(process.execPath, ['documents.cjs'])).trim()
  expect(printed.split(' ')).toEqual([digest(document), digest(definitions)])
})

/** Leaves out what is loaded when it is called. */
const loadedLater: Plugin = {
  name: 'loaded later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind }) => (kind === 'dynamic-import' ? { external: true } : undefined)),
}

test('its main entry is at most 8.3 kB without what it loads later, for browsers too, and needs no viem', async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '@bounty-marketplace/sdk'`, resolveDir: installed.directory },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    plugins: [loadedLater],
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  expect(code.length).toBeGreaterThan(1000)
  expect(gzipSync(code).length).toBeLessThanOrEqual(8_300)
})

test('an agent with a store of its own can be bundled for browsers: nothing of Node is left', async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export * from '@bounty-marketplace/sdk/agent'`, resolveDir: installed.directory },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
  })
  expect(outputFiles[0]?.text).toContain('runAgent')
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports)
  expect(imports.filter(({ external, path }) => external || path.startsWith('node:'))).toEqual([])
})

test('publint reports nothing', async () => {
  const { stdout } = await run(bin('publint'), ['--strict', installed.tarball])
  expect(stdout).toContain('All good!')
})

test('its types are right for every kind of resolution', async () => {
  // Exits with 1 where it finds a problem.
  const { stdout } = await run(bin('attw'), [installed.tarball, '--profile', 'esm-only', '--no-emoji'])
  expect(stdout.match(/node16 \(from ESM\): OK|bundler: OK/g)).toHaveLength(24)
})

test('JSR would take its sources: every module stands in the archive', async () => {
  const read = (name: string) => installed.run('tar', ['-xzOf', installed.tarball, `package/${name}.json`])
  const [jsr, manifest] = (await Promise.all(['jsr', 'package'].map(read))).map((text) => JSON.parse(text))
  expect({ name: jsr.name, version: jsr.version }).toEqual({ name: manifest.name, version: manifest.version })
  expect(Object.keys(jsr.exports)).toEqual([
    '.',
    './agent',
    './agent/file-store',
    './chain',
    './git',
    './testing',
    './tools',
    './wallet',
    './webhooks',
  ])
  for (const path of Object.values<string>(jsr.exports)) expect(installed.files).toContain(path.slice(2))
  expect(Object.keys(jsr.imports)).toEqual(Object.keys(manifest.peerDependencies))
})

test('npm would publish it as it is', async () => {
  const args = ['publish', '--dry-run', '--tag', 'latest', installed.tarball]
  const { stderr } = await run('npm', args, { cwd: installed.directory })
  const corrected = stderr.split('\n').filter((line) => /npm (warn|error) publish/i.test(line))
  // Nobody is logged in here; that is all it may miss.
  expect(corrected.filter((line) => !line.includes('requires you to be logged in'))).toEqual([])
})
