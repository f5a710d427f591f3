import { describe, expect, test } from 'vitest'
import { runService, temporaryDirectory } from '../support.ts'
import { caller, descriptions, newRepository, start } from './support.ts'

const base = '/repos/acme/rocket'
const protection = {
  required_status_checks: null,
  enforce_admins: false,
  required_pull_request_reviews: { required_approving_review_count: 0 },
  restrictions: null,
  allow_force_pushes: false,
  allow_deletions: false,
}
const encode = (text: string) => Buffer.from(text).toString('base64')

async function withRepository(fields: Record<string, unknown> = newRepository) {
  const github = await start()
  expect((await github.call('POST', '/orgs/acme/repos', fields)).status).toBe(201)
  return github
}

describe('the README', () => {
  test('is created with the repository, with its git hash as sha', async () => {
    const { call } = await withRepository()
    const { status, body } = await call('GET', `${base}/readme`)
    expect(status).toBe(200)
    expect(Buffer.from(body.content, 'base64').toString()).toBe('# rocket\nFlies\n')
    // printf '# rocket\nFlies\n' | git hash-object --stdin
    expect(body).toMatchObject({
      path: 'README.md',
      sha: 'c75879f9c2f64c758aa1a007af4c94b7929b39b9',
      size: 15,
      encoding: 'base64',
    })
  })

  test('404 without auto_init; 201 for the first, 200 for the next', async () => {
    const { call } = await withRepository({ name: 'rocket' })
    expect((await call('GET', `${base}/readme`)).status).toBe(404)
    const first = { message: 'Add', content: encode('One\n') }
    expect(descriptions.Enterprise.requestProblems('PUT', `${base}/contents/README.md`, first)).toEqual([])
    const created = await call('PUT', `${base}/contents/README.md`, first)
    expect(created.status).toBe(201)
    const next = {
      message: 'Change',
      content: encode('Two\n'),
      sha: created.body.content.sha,
      branch: 'main',
    }
    expect((await call('PUT', `${base}/contents/README.md`, next)).status).toBe(200)
    const { body } = await call('GET', `${base}/readme`)
    expect(Buffer.from(body.content, 'base64').toString()).toBe('Two\n')
  })

  test.each([
    ['409 with the sha of another text', 409, { sha: 'a'.repeat(40) }],
    ['422 without the sha', 422, { sha: undefined }],
    ['422 without content', 422, { content: undefined }],
    ['422 with content that is not Base64', 422, { content: '?' }],
    ['404 for another branch', 404, { branch: 'gone' }],
  ])('%s, and it stays', async (_, status, fields) => {
    const { call } = await withRepository()
    const before = (await call('GET', `${base}/readme`)).body
    const body = { message: 'Change', content: encode('Two\n'), sha: before.sha, ...fields }
    expect((await call('PUT', `${base}/contents/README.md`, body)).status).toBe(status)
    expect((await call('GET', `${base}/readme`)).body).toEqual(before)
  })

  test('exactly one of many concurrent changes of one text gets 200', async () => {
    const { call } = await withRepository()
    const { sha } = (await call('GET', `${base}/readme`)).body
    const change = (text: string) => ({ message: 'Change', content: encode(text), sha })
    const responses = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => call('PUT', `${base}/contents/README.md`, change(text))),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  test('is on the page of the repository, as text', async () => {
    const { webUrl } = await withRepository({ name: 'rocket', auto_init: true, description: '<b>' })
    const page = await (await fetch(`${webUrl}/acme/rocket`)).text()
    expect(page).toContain('<pre># rocket\n&#60;b&#62;\n</pre>')
  })
})

describe('protection of a branch', () => {
  const path = `${base}/branches/main/protection`

  test('404 before, 200 when set and after', async () => {
    const { call } = await withRepository()
    const before = await call('GET', path)
    expect([before.status, before.body.message]).toEqual([404, 'Branch not protected'])
    expect(descriptions['github.com'].requestProblems('PUT', path, protection)).toEqual([])
    const { status, body } = await call('PUT', path, protection)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      enforce_admins: { enabled: false },
      required_pull_request_reviews: { required_approving_review_count: 0 },
      allow_force_pushes: { enabled: false },
      allow_deletions: { enabled: false },
    })
    expect((await call('GET', path)).body).toEqual(body)
  })

  test('without pull requests when they are null', async () => {
    const { call } = await withRepository()
    const { body } = await call('PUT', path, { ...protection, required_pull_request_reviews: null })
    expect(body.required_pull_request_reviews).toBeUndefined()
  })

  test.each([
    ['a field missing', { restrictions: undefined }],
    ['seven approvals', { required_pull_request_reviews: { required_approving_review_count: 7 } }],
  ])('422 with %s', async (_, fields) => {
    const { call } = await withRepository()
    expect((await call('PUT', path, { ...protection, ...fields })).status).toBe(422)
    expect((await call('GET', path)).status).toBe(404)
  })

  test('404 for another branch, and in a repository without a commit', async () => {
    const { call } = await withRepository()
    expect((await call('PUT', `${base}/branches/gone/protection`, protection)).status).toBe(404)
    await call('POST', '/orgs/acme/repos', { name: 'empty' })
    expect((await call('PUT', '/repos/acme/empty/branches/main/protection', protection)).status).toBe(404)
  })
})

test('settings survive a kill', async () => {
  const directory = await temporaryDirectory()
  const options = { directory, port: 0, organization: 'acme', strict: true, git: false }
  const first = await runService<{ apiUrl: string }>('github', options)
  const call = caller(first.value.apiUrl)
  await call('POST', '/orgs/acme/repos', newRepository)
  await call('PUT', `${base}/branches/main/protection`, protection)
  const { sha } = (await call('GET', `${base}/readme`)).body
  await call('PUT', `${base}/contents/README.md`, { message: 'm', content: encode('Two\n'), sha })
  await first.kill()
  const second = await start({ directory })
  expect((await second.call('GET', `${base}/branches/main/protection`)).status).toBe(200)
  expect((await second.call('GET', `${base}/readme`)).body.content.trim()).toBe(encode('Two\n'))
  // The same repository, not another one: ids go on.
  expect((await second.call('POST', '/orgs/acme/repos', { name: 'second' })).body.id).toBe(2)
})
