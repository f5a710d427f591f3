import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import manifest from '../../server/code/host/github-app-manifest.json' with { type: 'json' }
import type { Finding } from '../../server/config/finding.ts'
import { loadDescription } from '../embedded/github/openapi.ts'
import { organization } from '../support/world.ts'
import { codeHost, notOk, useDeployment } from './support/configuration.ts'

const { check } = useDeployment()

describe('the code host', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const app = {
    GITHUB_TOKEN: undefined,
    GITHUB_APP_ID: '1',
    GITHUB_APP_INSTALLATION_ID: '2',
    GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  }
  const { default_permissions: permissions, default_events: events } = manifest
  const github = loadDescription('api.github.com')
  const described = (example: string, changes: object) => ({
    ...(github.example(example) as object),
    ...changes,
  })
  /** A host with an App, by GitHub's own examples. */
  async function appHost(
    changes: { app?: object; installation?: object; hook?: object; delivery?: object } = {},
  ) {
    const account = {
      ...(described('base-installation', {}) as { account: object }).account,
      login: organization,
    }
    const delivery = { status: 'OK', status_code: 202, delivered_at: '2026-11-20T08:00:00Z' }
    const [first] = github.example('hook-delivery-items') as object[]
    const hook = { url: 'https://market.example/github/webhook', content_type: 'json', secret: '********' }
    const bodies = {
      '/app': described('integration', { permissions, events, ...changes.app }),
      '/app/installations/2': described('base-installation', {
        account,
        permissions,
        events,
        suspended_at: null,
        suspended_by: null,
        id: 2,
        ...changes.installation,
      }),
      '/app/hook/config': described('webhook-config', { ...hook, ...changes.hook }),
      '/app/hook/deliveries': [{ ...first, ...delivery, ...changes.delivery }],
    }
    for (const [path, body] of Object.entries(bodies))
      expect(github.responseProblems('GET', path, 200, body), path).toEqual([])
    const expires_at = '2100-01-01T00:00:00Z'
    return codeHost({
      'POST /app/installations/2/access_tokens': {
        status: 201,
        body: { token: 'ghs_x', expires_at, permissions, repository_selection: 'all' },
      },
      [`GET /orgs/${organization}`]: { body: { login: organization } },
      ...Object.fromEntries(
        Object.entries(bodies).map(([path, body]) => [
          `GET ${path}${path.endsWith('deliveries') ? '?per_page=1' : ''}`,
          { body },
        ]),
      ),
    })
  }
  const site = { PUBLIC_URL: 'https://market.example/', TRUSTED_PROXIES: '10.0.0.0/8' }
  const aboutApp = async (changes?: Parameters<typeof appHost>[0], settings = {}) => {
    const findings = await check({
      ...app,
      ...site,
      GITHUB_API_URL: await appHost(changes),
      ...settings,
    })
    return findings
      .filter(({ about }) => /GITHUB_(APP|READER|WEBHOOK)|PUBLIC_URL/.test(about))
      .map(({ level, about, text }) => `${level} ${about}: ${text}`)
  }

  test('an App that is as its manifest says, or may do more', async () => {
    expect(await aboutApp({ app: { permissions: { ...permissions, checks: 'write' } } })).toEqual([
      'ok GITHUB_APP_ID: the App has every permission it needs',
      'ok GITHUB_APP_INSTALLATION_ID: the installation has every permission it needs',
      'ok GITHUB_WEBHOOK_SECRET: the webhook of the App leads here; the newest delivery was accepted at 2026-11-20T08:00:00Z',
    ])
  })

  test('a second App that may write where it should only read', async () => {
    const second = { GITHUB_READER_APP_ID: '1', GITHUB_READER_APP_PRIVATE_KEY: app.GITHUB_APP_PRIVATE_KEY }
    const found = await aboutApp({}, second)
    expect(found.filter((line) => line.includes('READER'))).toEqual([
      'ok GITHUB_READER_APP_ID: the App has every permission it needs',
      'warn GITHUB_READER_APP_ID: the App may do more than read: administration, contents, pull_requests',
    ])
  })

  test('an App with too few permissions, and an installation that has not accepted new ones', async () => {
    const before = { administration: 'write', contents: 'write', pull_requests: 'read', metadata: 'read' }
    const missing = 'lacks checks: read, pull_requests: write, statuses: read'
    const found = await aboutApp({
      app: { permissions: before, events: [] },
      installation: { permissions: before },
    })
    expect(found.slice(0, 3)).toEqual([
      `wrong GITHUB_APP_ID: the App ${missing}`,
      'warn GITHUB_APP_ID: the App does not subscribe to check_run, pull_request, repository, status',
      `wrong GITHUB_APP_INSTALLATION_ID: the installation ${missing}`,
    ])
  })

  test('an installation in another account, and one that is suspended', async () => {
    const { account } = github.example('base-installation') as { account: { login: string } }
    expect((await aboutApp({ installation: { account } }))[2]).toBe(
      `wrong GITHUB_APP_INSTALLATION_ID: the installation is in ${account.login}, not in ${organization}`,
    )
    expect((await aboutApp({ installation: { suspended_at: '2026-11-20T08:00:00Z' } }))[2]).toBe(
      'wrong GITHUB_APP_INSTALLATION_ID: the installation is suspended',
    )
  })

  const webhooks: [string, Parameters<typeof appHost>[0], object, string][] = [
    ['without an address', { hook: { url: undefined } }, {}, 'the App has no webhook'],
    [
      'that leads elsewhere',
      {},
      { PUBLIC_URL: 'https://other.example' },
      'the webhook of the App leads to https://market.example/github/webhook instead of https://other.example/github/webhook',
    ],
    [
      'of a service without PUBLIC_URL',
      {},
      { PUBLIC_URL: undefined },
      'PUBLIC_URL is not set, so nobody can tell whether the webhook of the App leads here',
    ],
    [
      'that sends forms',
      { hook: { content_type: 'form' } },
      {},
      'the webhook of the App has to send application/json',
    ],
    [
      'without a secret',
      { hook: { secret: undefined } },
      {},
      'the webhook of the App has no secret, so its deliveries are refused',
    ],
    [
      'without verification',
      { hook: { insecure_ssl: '1' } },
      {},
      'the webhook of the App does not verify certificates',
    ],
    [
      'with another secret',
      { delivery: { status: 'Unauthorized', status_code: 401 } },
      {},
      'the newest delivery got 401: the App has another secret',
    ],
    [
      'that reaches nobody',
      { delivery: { status: 'failed to connect', status_code: 0 } },
      {},
      'the newest delivery got no response: failed to connect',
    ],
    [
      'of a service without its secret',
      {},
      { GITHUB_WEBHOOK_SECRET: undefined },
      'not set: what happens at the code host is noticed by polling only, minutes later',
    ],
  ]
  test.each(webhooks)('a webhook %s', async (_, changes, settings, text) => {
    expect((await aboutApp(changes, settings)).slice(2)).toEqual([`warn GITHUB_WEBHOOK_SECRET: ${text}`])
  })

  test('a token: the webhook cannot be checked', async () => {
    const about = (found: Finding[]) => found.filter((each) => each.about === 'GITHUB_WEBHOOK_SECRET')
    expect(about(await check())).toMatchObject([
      { level: 'ok', text: expect.stringContaining('only with an App') },
    ])
    expect(about(await check({ GITHUB_WEBHOOK_SECRET: undefined }))).toMatchObject([{ level: 'warn' }])
  })

  test.each([
    ['check-runs', 'Checks: read'],
    ['status', 'Commit statuses: read'],
  ])('a token that may not read %s', async (refused, permission) => {
    const at = (part: string) => `GET /repos/${organization}/rocket/commits/main/${part}?per_page=1`
    const forbidden = { status: 403, body: { message: 'Resource not accessible by personal access token' } }
    const answers: Parameters<typeof codeHost>[0] = {
      [`GET /orgs/${organization}`]: { body: { login: organization } },
      [`GET /orgs/${organization}/repos?sort=pushed&per_page=1`]: {
        body: [{ name: 'rocket', default_branch: 'main' }],
      },
      [at('check-runs')]: { body: { total_count: 0, check_runs: [] } },
      [at('status')]: { body: { state: 'pending', total_count: 0, statuses: [] } },
    }
    const about = async (extra: typeof answers) =>
      notOk(await check({ GITHUB_API_URL: await codeHost({ ...answers, ...extra }) }))
    expect(await about({})).toEqual([])
    expect(await about({ [at(refused)]: forbidden })).toEqual([
      {
        level: 'warn',
        about: 'GITHUB_TOKEN',
        text: `lacks ${permission}: the checks of pull requests are \`unknown\``,
      },
    ])
  })

  test('credentials it refuses, an organization it does not show, an address that is silent', async () => {
    const answering = (status: number) =>
      codeHost({ [`GET /orgs/${organization}`]: { status, body: { message: 'no' } } })
    const about = async (url: string) => notOk(await check({ GITHUB_API_URL: url })).map((each) => each.about)
    expect(await about(await answering(401))).toEqual(['GITHUB_TOKEN'])
    expect(await about(await answering(404))).toEqual(['GITHUB_ORGANIZATION'])
    expect(await about('http://127.0.0.1:59999')).toEqual(['GITHUB_API_URL'])
    const aboutCredentials = async (answers: Parameters<typeof codeHost>[0]) =>
      notOk(await check({ ...app, GITHUB_API_URL: await codeHost(answers) })).map((each) => each.about)
    expect(await aboutCredentials({})).toEqual(['GITHUB_APP_ID'])
    const registered = { 'GET /app': { body: described('integration', {}) } }
    expect(await aboutCredentials(registered)).toEqual(['GITHUB_APP_INSTALLATION_ID'])
  })
})
