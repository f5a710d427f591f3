import { afterEach, expect, test, vi } from 'vitest'
import { servedAgent } from '../../../server/auth/served-agent.ts'
import { createClient } from '../../../server/code/host/client.ts'
import { toRepositoryError } from '../../../server/code/host/failures.ts'
import { type RequestFault, secondaryLimit } from '../../support/request-faults.ts'
import { until } from '../../support/until.ts'
import { name, project, setUp } from './support.ts'

// Once the code host limits requests, this process sends none until it wants them again.

const address = { owner: 'Acme', repository: name, number: 1 }
afterEach(() => void vi.useRealTimers())

/** Time passes by `vi.advanceTimersByTime` alone; waits are real. */
const stopClock = () => void vi.useFakeTimers({ toFake: ['performance'] })

const usedUp = () => ({
  status: 403,
  headers: {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 60),
    date: new Date().toUTCString(),
  },
  body: { message: 'API rate limit exceeded for installation' },
})

test.each<[string, () => RequestFault]>([
  ['403 of a secondary limit', () => secondaryLimit(60)],
  ['429 of a secondary limit', () => secondaryLimit(60, 429)],
  ['403 that names no time', () => ({ ...secondaryLimit(60), headers: {} })],
  [
    '403 of an older GitHub Enterprise, which names no time',
    () => ({ status: 403, body: { message: 'You have triggered an abuse detection mechanism.' } }),
  ],
  ['403 once the hourly quota is used up', usedUp],
])('%s: no other call sends anything for a minute, and all say how long', async (_, limit) => {
  stopClock()
  const { repositories, requests } = await setUp({}, (_request, count) => (count === 1 ? limit() : undefined))
  const limited = { kind: 'unavailable', retryable: true, retryAfter: expect.closeTo(60, -0.1) }
  await expect(repositories.readPullRequest(address)).rejects.toMatchObject(limited)
  await expect(repositories.findAccount('ada')).rejects.toMatchObject(limited)
  await expect(repositories.ensure(project)).rejects.toMatchObject(limited)
  expect(repositories.quota.pause()).toBeGreaterThan(57)
  expect(requests).toHaveLength(1)
  vi.advanceTimersByTime(30_000)
  await expect(repositories.findAccount('ada')).rejects.toMatchObject({
    retryAfter: expect.closeTo(30, -0.1),
  })
  vi.advanceTimersByTime(31_000)
  expect(repositories.quota.pause()).toBe(0)
  expect(await repositories.readPullRequest(address)).toBeUndefined()
})

test('a low quota that a wrong clock of the host lets end tomorrow pauses for an hour at most', async () => {
  const seconds = Math.floor(Date.now() / 1000)
  const low = {
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '100',
    'x-ratelimit-reset': String(seconds + 60),
    date: new Date((seconds - 86_400) * 1000).toUTCString(),
  }
  const { repositories } = await setUp({}, () => ({ status: 404, headers: low, body: { message: 'No' } }))
  await repositories.readPullRequest(address)
  expect(repositories.quota.pause()).toBeGreaterThan(3590)
  expect(repositories.quota.pause()).toBeLessThanOrEqual(3600)
})

test('the quota that a refusal of the credentials names is that of an anonymous caller, and is not noted', async () => {
  const reset = String(Math.floor(Date.now() / 1000) + 3000)
  const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': reset }
  const { repositories } = await setUp({}, () => ({
    status: 401,
    headers,
    body: { message: 'Bad credentials' },
  }))
  await expect(repositories.readPullRequest(address)).rejects.toMatchObject({ kind: 'unauthorized' })
  expect(repositories.quota.pause()).toBe(0)
})

test('a low quota pauses what nobody waits for, and not the payments of what was merged', async () => {
  const reset = String(Math.floor(Date.now() / 1000) + 3000)
  const low = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '990', 'x-ratelimit-reset': reset }
  const { repositories } = await setUp({}, () => ({ status: 404, headers: low, body: { message: 'No' } }))
  await repositories.readPullRequest(address)
  expect(repositories.quota.pause()).toBeGreaterThan(2900)
  expect(repositories.quota.pause(true)).toBe(0)
})

test('a short limit only delays the calls, those that begin in it too', async () => {
  const { repositories, requests } = await setUp({}, ({ method }, count) =>
    method === 'POST' && count === 2 ? secondaryLimit(1) : undefined,
  )
  const ensured = repositories.ensure(project)
  await expect.poll(() => requests.length).toBe(2)
  expect(await repositories.findAccount('nobody')).toBeUndefined()
  await ensured
  expect(requests.slice(0, 2).map(({ method }) => method)).toEqual(['GET', 'POST'])
  expect(requests.filter(({ path }) => path === '/orgs/Acme/repos')).toHaveLength(2)
})

test('a new repository is completed after a limit, not left unprotected', async () => {
  stopClock()
  let isLimited = true
  const { repositories, requests, call } = await setUp({}, ({ path }) =>
    isLimited && path.endsWith('/protection') ? secondaryLimit(60) : undefined,
  )
  await expect(repositories.ensure(project)).rejects.toMatchObject({ retryAfter: 60 })
  expect(requests.at(-1)?.path).toMatch(/protection$/)
  isLimited = false
  vi.advanceTimersByTime(60_000)
  await repositories.ensure(project)
  expect((await call('GET', `/repos/Acme/${name}/branches/main/protection`)).status).toBe(200)
})

function gate() {
  let release = () => {}
  const held = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined)
  })
  return { held, release }
}

test('one agent has four requests at the host at once: the next one waits, and that of another agent and of nobody pass', async () => {
  const { held, release } = gate()
  const { repositories, requests } = await setUp({}, async ({ path }) => {
    if (path.includes('many')) await held
    return undefined
  })
  const find = (login: string) => repositories.findAccount(login)
  const many = servedAgent.run('agent_ada', () =>
    Array.from({ length: 6 }, (_, index) => find(`many${index}`)),
  )
  await until(() => requests.length === 4)
  await servedAgent.run('agent_bob', () => find('bob'))
  await find('nobody')
  expect(requests.map(({ path }) => path).slice(4)).toEqual([
    expect.stringContaining('bob'),
    expect.stringContaining('nobody'),
  ])
  release()
  await Promise.all(many)
  expect(requests).toHaveLength(8)
})

test('what nobody waits for any more is not sent, and has an outcome that is not known', async () => {
  const octokit = createClient('http://127.0.0.1:9', { token: 'any' })
  const request = { signal: AbortSignal.timeout(0) }
  await until(() => request.signal.aborted)
  const sent = servedAgent.run('agent_ada', () => octokit.request('GET /user', { request }))
  const error = await sent.catch((thrown: unknown) => thrown)
  expect(toRepositoryError(error)).toMatchObject({ kind: 'unavailable' })
})
