import { generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { setUp } from './support.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const auth = {
  appId: 7,
  installationId: 9,
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
const address = { owner: 'Acme', repository: 'rocket', number: 1 }
const exchange = '/app/installations/9/access_tokens'

afterEach(() => void vi.useRealTimers())

/** An App whose token was issued ten minutes ago, and has ended since. */
async function withEndedToken(inject?: Parameters<typeof setUp>[1]) {
  const scene = await setUp({ auth }, inject)
  await scene.repositories.readPullRequest(address)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  scene.app.endTokens()
  scene.requests.length = 0
  const exchanges = () => scene.requests.filter(({ path }) => path === exchange).length
  return { ...scene, exchanges }
}

test('a token that ended before its time is exchanged once, and the request is sent again with the new one', async () => {
  const { repositories, requests } = await withEndedToken()
  expect(await repositories.readPullRequest(address)).toBeUndefined()
  const pull = '/repos/Acme/rocket/pulls/1'
  expect(requests.map(({ path }) => path)).toEqual([pull, exchange, pull])
})

test('several requests that it refuses together share the new token', async () => {
  const { repositories, exchanges } = await withEndedToken()
  const numbers = [1, 2, 3, 4, 5]
  const read = await Promise.all(
    numbers.map((number) => repositories.readPullRequest({ ...address, number })),
  )
  expect(read).toEqual(numbers.map(() => undefined))
  expect(exchanges()).toBe(1)
})

test('suspended while the App is, and no request fails once it is not', async () => {
  let isSuspended = false
  const { repositories } = await withEndedToken(({ path }) =>
    isSuspended && path === exchange
      ? { status: 403, body: { message: 'This installation has been suspended' } }
      : undefined,
  )
  isSuspended = true
  for (let count = 0; count < 2; count++)
    await expect(repositories.readPullRequest(address)).rejects.toMatchObject({ kind: 'suspended' })
  isSuspended = false
  expect(await repositories.readPullRequest(address)).toBeUndefined()
})

test('unauthorized with a token of an account, asked once', async () => {
  const { repositories, requests } = await setUp({}, () => ({
    status: 401,
    body: { message: 'Bad credentials' },
  }))
  await expect(repositories.readPullRequest(address)).rejects.toMatchObject({ kind: 'unauthorized' })
  expect(requests).toHaveLength(1)
})
