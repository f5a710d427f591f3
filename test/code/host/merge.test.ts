import { afterEach, expect, test } from 'vitest'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { createCodeHostProxy, type HostResponse } from '../../support/code-host-proxy.ts'
import { proxyPage } from '../../support/request-faults.ts'

const head = 'a'.repeat(40)
const address = { owner: 'acme', repository: 'rocket', number: 7 }
const host = await createCodeHostProxy('http://127.0.0.1:9/api/v3')
const logged: string[] = []
const repositories = createRepositories({
  apiUrl: host.apiUrl,
  organization: 'acme',
  auth: { token: 'ghp_secret' },
  timeoutMs: 2000,
  log: { warn: (fields, message) => void logged.push(JSON.stringify({ ...fields, message })) },
})
afterEach(() => {
  host.respond = () => undefined
  host.requests.length = 0
  logged.length = 0
})

const commit = { headSha: head, title: 'Add\n\u202edivision (#7)', message: 'Bounty: x' }
const answering = (response: HostResponse) => {
  host.respond = () => response
  return repositories.merge(address, commit)
}

test('sends the commit, the method and the texts once', async () => {
  expect(await answering({ status: 200, body: { merged: true, sha: head, message: '' } })).toEqual({
    mergeCommitSha: head,
  })
  expect(host.requests).toMatchObject([
    {
      method: 'PUT',
      path: '/repos/acme/rocket/pulls/7/merge',
      body: {
        sha: head,
        merge_method: 'squash',
        commit_title: 'Add division (#7)',
        commit_message: 'Bounty: x',
      },
    },
  ])
})

test.each([
  [405, 'not_mergeable', 'Required status check "build" is expected.'],
  [405, 'not_allowed', 'Squash merges are not allowed on this repository.'],
  [405, 'not_mergeable', 'Required status check "Codacy/PR Quality Review" is expected.'],
  [405, 'review_required', 'At least 1 approving review is required by reviewers with write access.'],
  [405, 'queue_required', 'Changes must be made through the merge queue'],
  [409, 'head_changed', 'Head branch was modified. Review and try the merge again.'],
  [403, 'not_allowed', 'Resource not accessible'],
  [404, 'not_allowed', 'Not Found'],
  [422, 'not_allowed', 'Validation failed'],
])('%i: %s; the log has the reason in one line: %s', async (status, refused, message) => {
  const body = { message: `${message}\n\u202e` }
  expect(await answering({ status, body })).toEqual({ refused, status, reason: message })
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ refused, status, reason: message }])
  expect(host.requests).toHaveLength(1)
})

const busy = (message: string) => ({ status: 405, body: { message } })
test('of more than six at a time the others are unavailable at once; later ones are sent', async () => {
  const done = { status: 200, body: { merged: true, sha: head, message: '' } }
  const held: ((response: HostResponse) => void)[] = []
  host.respond = () => new Promise((resolve) => held.push(resolve))
  const merges = Array.from({ length: 8 }, () => repositories.merge(address, commit))
  const refused = await Promise.allSettled(merges.splice(6))
  expect(refused).toMatchObject([{ reason: { kind: 'unavailable' } }, { reason: { kind: 'unavailable' } }])
  await expect.poll(() => held.length).toBe(6)
  for (const release of held) release(done)
  expect(await Promise.all(merges)).toHaveLength(6)
  expect(await answering(done)).toEqual({ mergeCommitSha: head })
})

test('sent again if the base has just been modified', async () => {
  host.respond = () =>
    host.requests.length === 1
      ? busy('Base branch was modified. Review and try the merge again.')
      : { status: 200, body: { merged: true, sha: head, message: '' } }
  expect(await repositories.merge(address, commit)).toEqual({ mergeCommitSha: head })
})

test('busy if another merge is still in progress then', async () => {
  expect(await answering(busy('Merge already in progress'))).toMatchObject({ refused: 'busy' })
  expect(host.requests).toHaveLength(2)
})

test.each([
  [405, 'queue_required', 'Changes must be made through the merge queue'],
  [405, 'not_allowed', 'Changes must be made through a pull request.'],
  [409, 'not_mergeable', 'Merge conflict'],
  [409, 'not_allowed', 'Repository rule violations found'],
  [404, 'head_changed', 'Head does not exist'],
])('of a commit by its hash, %i: %s, for: %s', async (status, refused, message) => {
  host.respond = ({ method }) =>
    method === 'GET'
      ? { status: 200, body: { id: 42, default_branch: 'main' } }
      : { status, body: { message } }
  expect(await repositories.mergeCommit(address, commit)).toEqual({ refused, status, reason: message })
})

test.each([
  [401, 'unauthorized', 'Bad credentials'],
  [451, 'blocked', 'Repository access blocked'],
  [403, 'blocked', 'Repository access blocked'],
])('%i: %s, which is no refusal of this merge', async (status, kind, message) => {
  await expect(answering({ status, body: { message } })).rejects.toMatchObject({ kind, retryable: false })
})

test.each<[string, HostResponse]>([
  ['502', { status: 502, body: {} }],
  ['a lost response', 'lost'],
  ["a proxy's page", proxyPage],
])('%s: unavailable, sent once', async (_, response) => {
  await expect(answering(response)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(host.requests).toHaveLength(1)
})

test.each<[string, HostResponse]>([
  ['is not shown', { status: 404, body: { message: 'Not Found' } }],
  ['is another one', { status: 200, body: { id: 43, default_branch: 'main' } }],
])(
  'unavailable by its hash where the repository %s: that says nothing of the commit',
  async (_, response) => {
    host.respond = () => response
    const merging = repositories.mergeCommit(address, { ...commit, repositoryId: 42 })
    await expect(merging).rejects.toMatchObject({ kind: 'unavailable' })
    expect(host.requests).toHaveLength(1)
  },
)
