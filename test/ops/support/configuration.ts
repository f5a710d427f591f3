import { beforeAll, onTestFinished } from 'vitest'
import type { Finding } from '../../../server/config/finding.ts'
import { checkConfiguration } from '../../../server/ops/check-configuration.ts'
import { startServer } from '../../support/server.ts'
import { openWorld, organization, type World } from '../../support/world.ts'

/** What `config:check` compares the webhook of the code host with, if a test does not change it. */
export const webhookSecret = 'the secret of the webhook'

/** Runs `config:check` in a deployment that lasts as long as the test file. */
export function useDeployment() {
  let around: World
  beforeAll(async () => {
    around = await openWorld()
  })
  return {
    around: () => around,
    /** Findings with these settings changed; undefined takes one away. */
    async check(changes: Record<string, string | undefined> = {}): Promise<Finding[]> {
      return checkConfiguration({
        ...around.settings,
        CHAIN_ID: '31337',
        GITHUB_API_URL: await host('repo, read:org'),
        GITHUB_WEBHOOK_SECRET: webhookSecret,
        ...changes,
      })
    },
  }
}

/** The findings that ask for something. */
export const notOk = (findings: Finding[]) => findings.filter(({ level }) => level !== 'ok')

/** A code host that shows the organization to a token with these scopes. */
export const host = (scopes: string) =>
  codeHost({
    [`GET /orgs/${organization}`]: { headers: { 'x-oauth-scopes': scopes }, body: { login: organization } },
  })

/** A code host that gives these answers by method and path, and 404 to all else. */
export async function codeHost(answers: Record<string, { status?: number; headers?: object; body: object }>) {
  const server = await startServer((request, response) => {
    const answer = answers[`${request.method} ${request.url}`] ?? {
      status: 404,
      body: { message: 'Not Found' },
    }
    const headers = { 'content-type': 'application/json; charset=utf-8', ...answer.headers }
    response.writeHead(answer.status ?? 200, headers).end(JSON.stringify(answer.body))
  })
  onTestFinished(server.close)
  return server.url
}
