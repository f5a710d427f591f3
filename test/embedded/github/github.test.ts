import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installedApp } from '../../support/github-app.ts'
import type { GitHubRequest, RequestFault } from '../../support/request-faults.ts'
import { runService, temporaryDirectory } from '../support.ts'
import { caller, descriptions, newRepository, start } from './support.ts'

test('GET /orgs/{org}: 200 in any letter case; 404 otherwise', async () => {
  const { call } = await start()
  const { status, body } = await call('GET', '/orgs/ACME')
  expect(status).toBe(200)
  expect(body).toMatchObject({ login: 'acme', type: 'Organization' })
  expect((await call('GET', '/orgs/others')).status).toBe(404)
})

describe('POST /orgs/{org}/repos', () => {
  test('201 with the repository, its links on this server', async () => {
    const { call, apiUrl, webUrl } = await start()
    expect(descriptions['github.com'].requestProblems('POST', '/orgs/acme/repos', newRepository)).toEqual([])
    const { status, body, headers } = await call('POST', '/orgs/acme/repos', newRepository)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${apiUrl}/repos/acme/rocket`)
    expect(body).toMatchObject({
      name: 'rocket',
      full_name: 'acme/rocket',
      description: 'Flies',
      private: false,
      html_url: `${webUrl}/acme/rocket`,
      url: `${apiUrl}/repos/acme/rocket`,
      owner: { login: 'acme', type: 'Organization' },
      default_branch: 'main',
    })
  })

  test('422 name already exists, in any letter case', async () => {
    const { call } = await start()
    await call('POST', '/orgs/acme/repos', newRepository)
    const { status, body } = await call('POST', '/orgs/ACME/repos', { name: 'ROCKET' })
    expect(status).toBe(422)
    expect(body).toEqual({
      message: 'Repository creation failed.',
      errors: [
        {
          resource: 'Repository',
          code: 'custom',
          field: 'name',
          message: 'name already exists on this account',
        },
      ],
      documentation_url: 'https://docs.github.com/rest',
      status: '422',
    })
  })

  test('exactly one of many concurrent requests gets 201', async () => {
    const { call } = await start()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/orgs/acme/repos', newRepository)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)])
  })

  test.each([
    ['no name', { description: 'x' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a description of 351 characters', { name: 'x', description: 'x'.repeat(351) }, 'description'],
    ['a line end in the description', { name: 'x', description: 'a\nb' }, 'description'],
  ])('422 with %s', async (_, fields, field) => {
    const { call } = await start()
    const { status, body } = await call('POST', '/orgs/acme/repos', fields)
    expect(status).toBe(422)
    expect(body.errors).toEqual([expect.objectContaining({ resource: 'Repository', field })])
  })

  test('replaces what GitHub does not allow in a name', async () => {
    const { call } = await start()
    const { body } = await call('POST', '/orgs/acme/repos', { name: 'my rocket/2!' })
    expect(body.name).toBe('my-rocket-2-')
  })

  test('reads JSON that curl sends as a form', async () => {
    const { apiUrl } = await start()
    const headers = { authorization: 'Bearer any', 'content-type': 'application/x-www-form-urlencoded' }
    const response = await fetch(`${apiUrl}/orgs/acme/repos`, {
      method: 'POST',
      headers,
      body: '{"name":"r"}',
    })
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ name: 'r' })
  })

  test('400 with broken JSON', async () => {
    const { apiUrl } = await start()
    const headers = { authorization: 'Bearer any', 'content-type': 'application/json' }
    const response = await fetch(`${apiUrl}/orgs/acme/repos`, { method: 'POST', headers, body: '{' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: 'Problems parsing JSON' })
  })
})

test('404 for another organization', async () => {
  const { apiUrl } = await start()
  const response = await fetch(`${apiUrl}/orgs/other/repos`, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: JSON.stringify(newRepository),
  })
  expect(response.status).toBe(404)
})

describe('GET /repos/{owner}/{repo}', () => {
  test('200 in any letter case, 404 otherwise', async () => {
    const { call } = await start()
    const created = await call('POST', '/orgs/acme/repos', newRepository)
    const found = await call('GET', '/repos/ACME/Rocket')
    expect(found.status).toBe(200)
    expect(found.body).toEqual(created.body)
    expect((await call('GET', '/repos/acme/other')).status).toBe(404)
    expect((await call('GET', '/repos/other/rocket')).status).toBe(404)
  })
})

describe('credentials', () => {
  test('401 without any', async () => {
    const { call } = await start()
    const { status, body } = await call('POST', '/orgs/acme/repos', newRepository, {})
    expect(status).toBe(401)
    expect(body.message).toBe('Requires authentication')
  })

  test('401 with another token than the one given', async () => {
    const { call } = await start({ token: 'right' })
    expect(
      (await call('GET', '/repos/acme/x', undefined, { authorization: 'Bearer wrong' })).body.message,
    ).toBe('Bad credentials')
    expect((await call('GET', '/repos/acme/x')).status).toBe(404)
    expect((await call('GET', '/repos/acme/x', undefined, { authorization: 'token right' })).status).toBe(404)
  })

  test('404 for an App beside a token, because nobody can check its signature', async () => {
    const { call } = await start({ token: 'right' })
    const path = '/app/installations/7/access_tokens'
    for (const [authorization, status] of [
      ['bearer a.b.c', 401],
      ['bearer right', 404],
    ] as const)
      expect((await call('POST', path, undefined, { authorization })).status).toBe(status)
  })

  test('201 with a token for the App of our tests, which then works', async () => {
    const { call } = await start({ onRequest: installedApp })
    const { status, body } = await call('POST', '/app/installations/7/access_tokens', undefined, {
      authorization: 'bearer a.b.c',
    })
    expect(status).toBe(201)
    expect(
      (await call('GET', '/repos/acme/x', undefined, { authorization: `token ${body.token}` })).status,
    ).toBe(404)
  })

  test('200 with what an App is', async () => {
    const { call } = await start({ onRequest: installedApp })
    const { status, body } = await call('GET', '/app', undefined, { authorization: 'bearer a.b.c' })
    expect([status, body.slug]).toEqual([200, 'bounty-marketplace'])
    expect(descriptions['github.com'].responseProblems('GET', '/app', status, body)).toEqual([])
  })
})

describe('pull requests', () => {
  const pull = { title: 'Add wings', head: 'ada:wings', base: 'main', body: 'See?' }

  test('201, then 200, then in the list', async () => {
    const { call, webUrl } = await start({ strict: true })
    await call('POST', '/orgs/acme/repos', newRepository)
    expect(descriptions['github.com'].requestProblems('POST', '/repos/acme/rocket/pulls', pull)).toEqual([])
    const created = await call('POST', '/repos/acme/rocket/pulls', pull)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      number: 1,
      state: 'open',
      title: 'Add wings',
      html_url: `${webUrl}/acme/rocket/pull/1`,
      user: { login: 'ada' },
      head: { label: 'ada:wings', ref: 'wings' },
      base: { label: 'acme:main', ref: 'main' },
    })
    expect((await call('GET', '/repos/Acme/ROCKET/pulls/1')).body).toEqual(created.body)
    expect((await call('GET', '/repos/acme/rocket/pulls')).body).toMatchObject([{ number: 1 }])
  })

  test('422 a second time, without a head, and into a missing branch', async () => {
    const { call } = await start()
    await call('POST', '/orgs/acme/repos', newRepository)
    await call('POST', '/repos/acme/rocket/pulls', pull)
    for (const fields of [pull, { ...pull, head: undefined }, { ...pull, base: 'gone' }]) {
      expect((await call('POST', '/repos/acme/rocket/pulls', fields)).status).toBe(422)
    }
  })

  test('a pull request that was not created counts as open', async () => {
    const { call } = await start()
    await call('POST', '/orgs/acme/repos', newRepository)
    const { status, body } = await call('GET', '/repos/acme/rocket/pulls/1234')
    expect(status).toBe(200)
    expect(body).toMatchObject({ number: 1234, state: 'open' })
  })

  test('a pull request that was not created is 404 when strict', async () => {
    const { call } = await start({ strict: true })
    await call('POST', '/orgs/acme/repos', newRepository)
    expect((await call('GET', '/repos/acme/rocket/pulls/1')).status).toBe(404)
  })

  test.each(['0', '01', '-1', '1e3', '2147483648', 'x'])('404 for the number %s', async (number) => {
    const { call } = await start()
    await call('POST', '/orgs/acme/repos', newRepository)
    expect((await call('GET', `/repos/acme/rocket/pulls/${number}`)).status).toBe(404)
  })

  test('404 in a missing repository', async () => {
    const { call } = await start()
    expect((await call('GET', '/repos/acme/none/pulls/1')).status).toBe(404)
  })
})

describe('pages', () => {
  test.each([
    ['/', 200],
    ['/acme', 200],
    ['/acme/rocket', 200],
    ['/ACME/Rocket/pull/5', 200],
    ['/acme/rocket/pull/5/files', 200],
    ['/acme/none', 404],
    ['/other/rocket', 404],
    ['/acme/rocket/pull/x', 404],
    ['/a/b/c/d', 404],
  ])('%s: %i', async (path, status) => {
    const { call, webUrl } = await start()
    await call('POST', '/orgs/acme/repos', newRepository)
    const response = await fetch(`${webUrl}${path}`)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('show untrusted text as text', async () => {
    const { call, webUrl } = await start()
    await call('POST', '/orgs/acme/repos', { name: 'x', description: `<script>"'&` })
    const page = await (await fetch(`${webUrl}/acme/x`)).text()
    expect(page).not.toContain('<script>')
    expect(page).toContain('&#60;script&#62;&#34;&#39;&#38;')
  })
})

test('accounts: by id, their permission in a repository, and no open invitations', async () => {
  const { call } = await start({ token: 'right' })
  await call('POST', '/orgs/acme/repos', newRepository)
  await call('POST', '/repos/acme/rocket/pulls', {
    title: 't',
    head: 'h',
    base: 'main',
  })
  expect((await call('GET', '/user/1')).status).toBe(404)
  const { id } = (await call('GET', '/users/acme')).body
  expect((await call('GET', `/user/${id}`)).body.login).toBe('acme')
  const permission = (login: string) => call('GET', `/repos/acme/rocket/collaborators/${login}/permission`)
  expect((await permission('ACME')).body).toMatchObject({ permission: 'admin', user: { login: 'acme' } })
  expect((await permission('agent_eve')).status).toBe(404)
  expect((await call('GET', '/repos/acme/rocket/invitations')).body).toEqual([])
})

describe('confirmed changes', () => {
  test('leave one line each at the next start', async () => {
    const first = await start({ strict: true })
    await first.call('POST', '/orgs/acme/repos', newRepository)
    const pulls = '/repos/acme/rocket/pulls'
    await first.call('POST', pulls, { title: 't', head: 'h', base: 'main' })
    for (const title of ['a', 'b', 'c']) await first.call('PATCH', `${pulls}/1`, { title })
    const [pull, journal] = [await first.call('GET', `${pulls}/1`), join(first.directory, 'journal.jsonl')]
    const lines = async () => (await readFile(journal, 'utf8')).trim().split('\n').length
    expect(await lines()).toBe(6)
    await first.stop()
    for (const _ of [1, 2]) {
      const next = await start({ directory: first.directory, strict: true })
      expect(await lines()).toBe(2)
      expect((await next.call('GET', `${pulls}/1`)).body).toEqual(pull.body)
      await next.stop()
    }
  })

  test('survive a kill, and the port stays', async () => {
    const directory = await temporaryDirectory()
    const options = { directory, port: 0, organization: 'acme', strict: true, git: false }
    const first = await runService<{ apiUrl: string }>('github', options)
    const call = caller(first.value.apiUrl)
    const repository = await call('POST', '/orgs/acme/repos', newRepository)
    const pull = await call('POST', '/repos/acme/rocket/pulls', { title: 't', head: 'h', base: 'main' })
    await first.kill()
    const second = await start({ directory, strict: true })
    expect(second.apiUrl).toBe(first.value.apiUrl)
    expect((await second.call('GET', '/repos/acme/rocket')).body).toEqual(repository.body)
    expect((await second.call('GET', '/repos/acme/rocket/pulls/1')).body).toEqual(pull.body)
  })

  test('survive a last line that was cut off, and further changes work', async () => {
    const first = await start()
    await first.call('POST', '/orgs/acme/repos', newRepository)
    await first.stop()
    const journal = join(first.directory, 'journal.jsonl')
    const whole = await readFile(journal, 'utf8')
    await appendFile(journal, whole.slice(0, 40))
    const second = await start({ directory: first.directory })
    expect((await second.call('GET', '/repos/acme/rocket')).status).toBe(200)
    await second.call('POST', '/orgs/acme/repos', { name: 'second' })
    await second.stop()
    const third = await start({ directory: first.directory })
    expect((await third.call('GET', '/repos/acme/second')).status).toBe(200)
  })

  test('a damaged line is one clear error', async () => {
    const first = await start()
    await first.stop()
    await appendFile(join(first.directory, 'journal.jsonl'), '{"x":1}\n')
    await expect(start({ directory: first.directory })).rejects.toThrow(/journal\.jsonl is damaged in line 1/)
  })
})

describe('injected faults', () => {
  function injecting(outcome: RequestFault) {
    const seen: GitHubRequest[] = []
    const onRequest = async (request: GitHubRequest) => {
      seen.push(request)
      return seen.length === 1 ? outcome : undefined
    }
    return { seen, onRequest }
  }

  test('lose a response after the effect', async () => {
    const { seen, onRequest } = injecting('lose-response')
    const { call } = await start({ onRequest })
    await expect(call('POST', '/orgs/acme/repos', newRepository)).rejects.toThrow('fetch failed')
    const sent = { authorization: 'Bearer any', body: newRepository }
    expect(seen).toEqual([{ method: 'POST', path: '/orgs/acme/repos', ...sent }])
    expect((await call('GET', '/repos/acme/rocket')).status).toBe(200)
  })

  test('respond in place of the stand-in, without the effect', async () => {
    const body = { message: 'slow down' }
    const { onRequest } = injecting({ status: 403, headers: { 'retry-after': '1' }, body })
    const { call } = await start({ onRequest })
    const { status, headers } = await call('POST', '/orgs/acme/repos', newRepository)
    expect([status, headers.get('retry-after')]).toEqual([403, '1'])
    expect((await call('GET', '/repos/acme/rocket')).status).toBe(404)
  })
})

test('POST /token: 404 without git, because there is nothing to push to', async () => {
  const { webUrl } = await start()
  const response = await fetch(`${webUrl}/token`, {
    method: 'POST',
    headers: { authorization: 'Bearer key' },
  })
  expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
    404,
    'This code host has no git, so there is nothing to push to',
  ])
})
