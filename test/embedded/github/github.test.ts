import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installApp } from '../../support/github-app.ts'
import type { GitHubRequest, RequestFault } from '../../support/request-faults.ts'
import { runService, temporaryDirectory } from '../support.ts'
import { caller, descriptions, newRepository, start } from './support.ts'

test('an organization: 200 in any letter case; 404 otherwise', async () => {
  const { call, apiUrl } = await start()
  const { status, body } = await call('GET', '/orgs/ACME')
  expect(status).toBe(200)
  expect(body).toMatchObject({ login: 'acme', type: 'Organization' })
  expect((await call('GET', '/orgs/others')).status).toBe(404)
  const headers = { authorization: 'Bearer any', 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(newRepository) }
  expect((await fetch(`${apiUrl}/orgs/others/repos`, request)).status).toBe(404)
})

describe('POST /orgs/{org}/repos', () => {
  test('201 with the repository, its links on this server, then 200 in any letter case, and 422 a second time', async () => {
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
    const found = await call('GET', '/repos/ACME/Rocket')
    expect([found.status, found.body]).toEqual([200, body])
    for (const path of ['/repos/acme/other', '/repos/other/rocket'])
      expect((await call('GET', path)).status).toBe(404)
    const again = await call('POST', '/orgs/ACME/repos', { name: 'ROCKET' })
    expect(again.status).toBe(422)
    expect(again.body).toEqual({
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

  test('201 with a name of what GitHub allows, and with JSON that curl sends as a form; 400 with broken JSON', async () => {
    const { call, apiUrl } = await start()
    const { body } = await call('POST', '/orgs/acme/repos', { name: 'my rocket/2!' })
    expect(body.name).toBe('my-rocket-2-')
    const send = async (type: string, body: string) => {
      const headers = { authorization: 'Bearer any', 'content-type': type }
      const response = await fetch(`${apiUrl}/orgs/acme/repos`, { method: 'POST', headers, body })
      return [response.status, await response.json()]
    }
    const created = await send('application/x-www-form-urlencoded', '{"name":"r"}')
    expect(created).toMatchObject([201, { name: 'r' }])
    expect(await send('application/json', '{')).toMatchObject([400, { message: 'Problems parsing JSON' }])
  })
})

describe('credentials', () => {
  test('401 without any, and with another token than the one given', async () => {
    const { call } = await start({ token: 'right' })
    const { status, body } = await call('POST', '/orgs/acme/repos', newRepository, {})
    expect([status, body.message]).toEqual([401, 'Requires authentication'])
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

  test('201 with a token for the App of our tests, which then works; 200 with what an App is', async () => {
    const { call } = await start({ onRequest: installApp().respond })
    const asApp = { authorization: 'bearer a.b.c' }
    const { status, body } = await call('POST', '/app/installations/7/access_tokens', undefined, asApp)
    expect(status).toBe(201)
    expect(
      (await call('GET', '/repos/acme/x', undefined, { authorization: `token ${body.token}` })).status,
    ).toBe(404)
    const app = await call('GET', '/app', undefined, asApp)
    expect([app.status, app.body.slug]).toEqual([200, 'bounty-marketplace'])
  })
})

describe('pull requests', () => {
  const pull = { title: 'Add wings', head: 'ada:wings', base: 'main', body: 'See?' }

  test('201, then 200, then in the list; 422 a second time, without a head, and into a missing branch', async () => {
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
    for (const fields of [pull, { ...pull, head: undefined }, { ...pull, base: 'gone' }]) {
      expect((await call('POST', '/repos/acme/rocket/pulls', fields)).status).toBe(422)
    }
  })

  test.each([
    [false, { status: 200, body: { number: 1234, state: 'open' } }],
    [true, { status: 404 }],
  ])('one that was not created, strict %s: %o', async (strict, response) => {
    const { call } = await start({ strict })
    await call('POST', '/orgs/acme/repos', newRepository)
    expect(await call('GET', '/repos/acme/rocket/pulls/1234')).toMatchObject(response)
  })

  test('404 for what is no number, and in a missing repository', async () => {
    const { call } = await start()
    await call('POST', '/orgs/acme/repos', newRepository)
    const numbers = ['0', '01', '-1', '1e3', '2147483648', 'x'].map((number) => `rocket/pulls/${number}`)
    for (const path of [...numbers, 'none/pulls/1'])
      expect((await call('GET', `/repos/acme/${path}`)).status, path).toBe(404)
  })
})

describe('pages', () => {
  test('200 for what there is, 404 for the rest', async () => {
    const { call, webUrl } = await start()
    await call('POST', '/orgs/acme/repos', newRepository)
    for (const [path, status] of [
      ['/', 200],
      ['/acme', 200],
      ['/acme/rocket', 200],
      ['/ACME/Rocket/pull/5', 200],
      ['/acme/rocket/pull/5/files', 200],
      ['/acme/none', 404],
      ['/other/rocket', 404],
      ['/acme/rocket/pull/x', 404],
      ['/a/b/c/d', 404],
    ] as const) {
      const response = await fetch(`${webUrl}${path}`)
      expect([response.status, response.headers.get('content-type')], path).toEqual([
        status,
        'text/html; charset=utf-8',
      ])
    }
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
    const pull = await first.call('GET', `${pulls}/1`)
    const journal = join(first.directory, 'journal.jsonl')
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
