import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { startServer } from '../../support/server.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const reader = { appId: 9, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
const projectId = 'proj_0123456789abcdefghij'
const place = { owner: 'ada', repository: 'rocket' }
const reads = { checks: 'read', contents: 'read', metadata: 'read', pull_requests: 'read', statuses: 'read' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

interface Reply {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** What GitHub shows of two repositories of founders. */
let installation: Record<string, unknown> | undefined
let repository: Record<string, unknown>
let proof: string | undefined
let requests: { method: string; path: string; authorization: string }[]
/** Ended tokens of installations, by their text. */
let ended: Set<string>
let issued: number
let refuse: (path: string) => Reply | undefined
/** In place of a token of an installation. */
let exchange: Reply | undefined

beforeEach(() => {
  installation = { id: 7, permissions: reads, suspended_at: null }
  repository = { id: 70, full_name: 'ada/rocket', private: false, archived: false, default_branch: 'trunk' }
  proof = `# for the market\n${projectId}\r\n`
  requests = []
  ended = new Set()
  issued = 0
  refuse = () => undefined
  exchange = undefined
})

const missing: Reply = { status: 404, body: { message: 'Not Found' } }

function respond(path: string, authorization: string): Reply {
  const fault = refuse(path)
  if (fault) return fault
  if (path === '/app') return { status: 200, body: { html_url: 'https://github.test/apps/market' } }
  const [, exchanged] = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(path) ?? []
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  if (exchanged && exchange) return exchange
  if (exchanged)
    return { status: 201, body: { token: `ghs_${exchanged}_${++issued}`, expires_at, permissions: reads } }
  if (path === '/repos/ada/rocket/installation')
    return installation ? { status: 200, body: installation } : missing
  if (path === '/repos/bob/boat/installation')
    return { status: 200, body: { id: 8, permissions: reads, suspended_at: null } }
  if (ended.has(authorization)) return { status: 401, body: { message: 'Bad credentials' } }
  if (path === '/repos/ada/rocket') return { status: 200, body: repository }
  if (path === '/repos/bob/boat') return { status: 200, body: { ...repository, id: 80 } }
  if (path === '/repos/ada/rocket/contents/.github%2Fbounty-market' && proof !== undefined)
    return { status: 200, body: { type: 'file', content: base64(proof) } }
  return missing
}

async function start(options: Partial<Parameters<typeof createRepositories>[0]> = {}) {
  const { url, close } = await startServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    const authorization = (headers.authorization ?? '').split(' ')[1] ?? ''
    requests.push({ method, path, authorization })
    const { status, body, headers: own } = respond(path, authorization)
    response.writeHead(status, { 'content-type': 'application/json', ...own }).end(JSON.stringify(body))
  })
  onTestFinished(close)
  const auth = { token: 'ghp_of-the-organization' }
  return createRepositories({
    apiUrl: url,
    organization: 'Acme',
    auth,
    reader,
    log: { warn() {} },
    ...options,
  })
}

test('nothing is missing where the App is installed and the file names the project', async () => {
  const repositories = await start()
  expect(await repositories.lookAt(place, projectId)).toEqual({
    id: 70,
    fullName: 'ada/rocket',
    defaultBranch: 'trunk',
    missing: [],
  })
})

const blocked = (status: number, reason: string) => (path: string) =>
  path === '/repos/ada/rocket'
    ? { status, body: { message: 'Repository access blocked', block: { reason } } }
    : undefined

test.each<[code: string, change: () => unknown]>([
  ['not_installed', () => (installation = undefined)],
  ['not_installed', () => (installation = { ...installation, suspended_at: '2026-01-01T00:00:00Z' })],
  ['no_proof', () => (proof = undefined)],
  ['no_proof', () => (proof = 'proj_9876543210abcdefghij\n')],
  ['no_proof', () => (proof = `not ${projectId}\n`)],
  ['not_public', () => (repository = { ...repository, private: true })],
  ['archived', () => (repository = { ...repository, archived: true })],
  [
    'permission:checks',
    () => {
      const { checks: _, ...others } = reads
      installation = { ...installation, permissions: others }
    },
  ],
  ['blocked', () => (refuse = blocked(451, 'dmca'))],
  ['blocked', () => (refuse = blocked(403, 'tos'))],
  // It was moved to the organization, whose repositories the service makes itself.
  ['not_installed', () => (repository = { ...repository, full_name: 'Acme/rocket' })],
])('%s alone is missing', async (code, change) => {
  change()
  const repositories = await start()
  expect((await repositories.lookAt(place, projectId)).missing).toEqual([code])
})

test('a renamed repository has its new name, and another one under the old name another id', async () => {
  repository = { ...repository, full_name: 'ada/rocket-2' }
  const repositories = await start()
  expect(await repositories.lookAt(place, projectId)).toMatchObject({ id: 70, fullName: 'ada/rocket-2' })
  repository = { ...repository, id: 71, full_name: 'ada/rocket' }
  expect(await repositories.repositoryIdAt(place)).toBe(71)
})

test('a token of an installation that has ended is exchanged once', async () => {
  const repositories = await start()
  expect(await repositories.repositoryIdAt(place)).toBe(70)
  ended.add('ghs_7_1')
  expect(await repositories.repositoryIdAt(place)).toBe(70)
  expect(issued).toBe(2)
})

test.each([
  ['not installed', undefined],
  ['suspended', { id: 7, permissions: reads, suspended_at: '2026-01-01T00:00:00Z' }],
])(
  'where the App is %s, what is public is read for the organization: no merge is hidden',
  async (_, found) => {
    installation = found
    const repositories = await start()
    expect(await repositories.repositoryIdAt(place)).toBe(70)
    expect(requests.at(-1)?.authorization).toBe('ghp_of-the-organization')
    const asked = requests.length
    expect(await repositories.repositoryIdAt(place)).toBe(70)
    expect(requests).toHaveLength(asked + 1)
  },
)

test.each([
  [401, 'Integration not found'],
  [403, 'This app has been suspended'],
])(
  'where the host refuses the App itself with %i, what is public is read for the organization, and no look says anything',
  async (status, message) => {
    const repositories = await start()
    refuse = (path) => (path.endsWith('/installation') ? { status, body: { message } } : undefined)
    expect(await repositories.repositoryIdAt(place)).toBe(70)
    expect(requests.at(-1)?.authorization).toBe('ghp_of-the-organization')
    await expect(repositories.lookAt(place, projectId)).rejects.toMatchObject({ kind: 'unauthorized' })
    refuse = (path) =>
      path.endsWith('/installation') ? { status: 500, body: { message: 'Error' } } : undefined
    await expect(repositories.repositoryIdAt(place, 500)).rejects.toMatchObject({ kind: 'unavailable' })
  },
)

test('an installation that has used up its quota slows no other one, nor the organization', async () => {
  const repositories = await start()
  expect(await repositories.repositoryIdAt(place)).toBe(70)
  refuse = (path) =>
    path === '/repos/ada/rocket'
      ? { status: 403, headers: { 'retry-after': '600' }, body: { message: 'secondary rate limit' } }
      : undefined
  await expect(repositories.repositoryIdAt(place)).rejects.toMatchObject({ retryAfter: 600 })
  expect(await repositories.repositoryIdAt({ owner: 'bob', repository: 'boat' })).toBe(80)
  const paused = (name: string) => repositories.quotaOf(`https://github.test/${name}`).pause()
  expect([paused('ada/rocket') > 500, paused('bob/boat'), paused('Acme/other')]).toEqual([true, 0, 0])
})

test('the App is asked for its page once', async () => {
  const repositories = await start()
  for (let count = 0; count < 2; count++)
    expect(await repositories.installUrl(place)).toBe('https://github.test/apps/market/installations/new')
  expect(requests.filter(({ path }) => path === '/app')).toHaveLength(1)
})

test('nothing but tokens is asked for by anything but GET', async () => {
  const repositories = await start()
  await repositories.lookAt(place, projectId)
  await repositories.readWork({ ...place, id: 70 }, { since: new Date() }).catch(() => undefined)
  const writes = requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/access_tokens'))
  expect(writes).toEqual([])
})

test.each<[string, Reply, Record<string, unknown> | undefined]>([
  ['deleted', missing, undefined],
  [
    'suspended',
    { status: 403, body: { message: 'This installation has been suspended' } },
    { id: 7, permissions: reads, suspended_at: '2026-01-01T00:00:00Z' },
  ],
])(
  'an installation that is %s after it was found hides nothing that is public, not for a moment',
  async (_, refusal, found) => {
    const repositories = await start()
    expect(await repositories.repositoryIdAt(place)).toBe(70)
    installation = found
    exchange = refusal
    ended.add('ghs_7_1')
    expect(await repositories.repositoryIdAt(place)).toBe(70)
    expect(requests.at(-1)?.authorization).toBe('ghp_of-the-organization')
  },
)

test('the App is read with under its new installation, as soon as the old one is refused', async () => {
  const repositories = await start()
  expect(await repositories.repositoryIdAt(place)).toBe(70)
  ended.add('ghs_7_1')
  installation = { id: 9, permissions: reads }
  refuse = (path) => (path === '/app/installations/7/access_tokens' ? missing : undefined)
  expect(await repositories.repositoryIdAt(place)).toBe(70)
  expect(requests.at(-1)?.authorization).toMatch(/^ghs_9_/)
})

test('an installation that is there, and for which no token is given, is asked for once more', async () => {
  const repositories = await start()
  exchange = { status: 403, body: { message: 'Resource not accessible' } }
  await expect(repositories.repositoryIdAt(place)).rejects.toMatchObject({ kind: 'unauthorized' })
  expect(requests.filter(({ path }) => path.endsWith('/access_tokens'))).toHaveLength(2)
})
