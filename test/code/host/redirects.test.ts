import { afterEach, expect, test } from 'vitest'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { createCodeHostProxy } from '../../support/code-host-proxy.ts'

// A repository that was renamed or transferred: the host redirects its old address to the new one.

const head = 'a'.repeat(40)
const address = { owner: 'acme', repository: 'rocket', number: 7 }
const commit = { headSha: head, title: 'Add division', message: 'Bounty: x' }
const host = await createCodeHostProxy('http://127.0.0.1:9/api/v3')
const repositories = createRepositories({
  apiUrl: host.apiUrl,
  organization: 'acme',
  auth: { token: 'ghp_secret' },
  timeoutMs: 2000,
  log: { warn() {} },
})
afterEach(() => {
  host.respond = () => undefined
  host.requests.length = 0
})

/** Everything at the old address is redirected so; reads always by 301, as GitHub does. */
function renamed(status: number, location: (path: string) => string): void {
  host.respond = ({ method, path, body, headers }) => {
    if (headers.authorization !== 'token ghp_secret') return { status: 401, body: {} }
    if (path.startsWith('/repos/'))
      return { status: method === 'GET' ? 301 : status, headers: { location: location(path) }, body: {} }
    if (path === '/repositories/42') return { status: 200, body: { id: 42, default_branch: 'main' } }
    if (method === 'PUT') return { status: 200, body: { merged: body?.sha === head, sha: head } }
    return method === 'POST' && body?.head === head
      ? { status: 201, body: { sha: head } }
      : { status: 404, body: { message: 'Not Found' } }
  }
}
const byId = (path: string) => host.apiUrl + path.replace('/repos/acme/rocket', '/repositories/42')

test('no link to another page is followed, and a list that does not end is not read for ever', async () => {
  const other = await createCodeHostProxy('http://127.0.0.1:9/api/v3')
  other.respond = () => ({ status: 200, body: [] })
  const link = `<${other.apiUrl}/repos/acme/rocket/invitations?page=2>; rel="next"`
  const invitation = { id: 1, invitee: { id: 12 } }
  host.respond = () => ({ status: 200, headers: { link }, body: Array(100).fill(invitation) })
  const former = { id: 11, login: 'ada' }
  const repository = { owner: 'acme', repository: 'rocket', id: null }
  const before = host.requests.length
  await expect(repositories.uninvite(repository, former)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(other.requests).toEqual([])
  expect(host.requests.length - before).toBe(10)
})

test.each([301, 302, 307, 308])(
  '%i: writes follow it with their method, body and credentials',
  async (status) => {
    renamed(status, byId)
    expect(await repositories.merge(address, commit)).toEqual({ mergeCommitSha: head })
    expect(await repositories.mergeCommit(address, commit)).toEqual({ mergeCommitSha: head })
  },
)

test('unavailable for a redirect to another host, which hears nothing', async () => {
  const other = await createCodeHostProxy('http://127.0.0.1:9/api/v3')
  renamed(307, (path) => other.apiUrl + path)
  await expect(repositories.merge(address, commit)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(other.requests).toEqual([])
})

test('unavailable for redirects without an end, after four requests', async () => {
  renamed(307, (path) => host.apiUrl + path)
  await expect(repositories.merge(address, commit)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(host.requests).toHaveLength(4)
})
