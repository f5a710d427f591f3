import { verify } from '@octokit/webhooks-methods'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { hostSha } from '../code/host/host.ts'
import { lookSoon } from '../code/own-repositories/store.ts'
import { type HostDelivery, storeDelivery } from '../code/pull-requests/deliveries.ts'
import type { PullReport } from '../code/pull-requests/reports.ts'
import { ServiceError } from '../errors.ts'
import type { Services } from '../services.ts'
import { jsonType, privateCache } from './headers.ts'

const mebibyte = 1024 ** 2

const name = z.string().regex(/^[a-z0-9_]{1,100}$/)
const Headers = z.object({
  'x-github-delivery': z.string().regex(/^[\x21-\x7e]{1,100}$/),
  'x-github-event': name,
  'x-hub-signature-256': z.string().default(''),
})

const number = z.number().int().min(1)
const pullNumber = number.max(2 ** 31 - 1)
/** Its name in metrics and logs. */
export const webhookOperation = 'github.webhook'

/** What a payload says about the state of a pull request. */
const Report = z.object({
  repository: z.object({ id: number }),
  pull_request: z.object({
    number: pullNumber,
    state: z.string(),
    merged_at: z.string().nullable(),
    updated_at: z.iso.datetime({ offset: true }),
    head: z.object({ ref: z.string(), sha: hostSha.nullish().catch(null) }),
    merged_by: z.object({ id: z.int(), login: z.string() }).nullish().catch(null),
    merge_commit_sha: hostSha.nullish().catch(null),
  }),
  action: z.string().nullish(),
})
const id = z.int().min(1).nullable().catch(null)
const ofCommit = z.object({ head_sha: hostSha, id }).nullable().catch(null)
const ofInstallation = z.array(z.object({ id: number })).catch([])
/** The ids in a payload. A part that is missing or unusual is no reason to refuse the delivery. */
const Payload = z.object({
  action: name.nullable().catch(null),
  repository: z.object({ id: number }).nullable().catch(null),
  pull_request: z.object({ number: pullNumber }).nullable().catch(null),
  check_run: ofCommit,
  check_suite: ofCommit,
  // Those of a status.
  sha: hostSha.nullable().catch(null),
  id,
  repositories: ofInstallation,
  repositories_added: ofInstallation,
  repositories_removed: ofInstallation,
})

/**
 * `POST /github/webhook`: what the code host reports about repositories. The signature is checked before the body is
 * parsed. Only ids and states are stored; the pull requests they name are read again afterwards. Without a secret there is no such
 * path.
 */
export async function serveGitHubWebhook(app: FastifyInstance, services: Services): Promise<void> {
  const secret = services.config.GITHUB_WEBHOOK_SECRET
  if (!secret) return
  await app.register(async (receiver) => {
    receiver.removeAllContentTypeParsers()
    receiver.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: mebibyte },
      (_, body, done) => done(null, body),
    )
    receiver.post<{ Body: string | undefined }>(
      '/github/webhook',
      { bodyLimit: mebibyte, config: { operation: webhookOperation } },
      async (request, reply) => {
        const headers = Headers.safeParse(request.headers)
        if (!headers.success)
          throw new ServiceError(
            'malformed_request',
            'X-GitHub-Delivery and X-GitHub-Event are missing or not valid.',
          )
        const { 'x-hub-signature-256': signature, ...ids } = headers.data
        const body = request.body ?? ''
        if (!body || !signature || !(await verify(secret, body, signature)))
          throw new ServiceError('signature_invalid')
        const { repositoryIds, ...payload } = readPayload(body)
        const { 'x-github-delivery': id, 'x-github-event': event } = ids
        if (/^(installation|repository)/.test(event))
          await lookSoon(services.db, repositoryIds, `${event}.${payload.action}`)
        await storeDelivery(services.db, { id, event, ...payload })
        return reply
          .code(202)
          .headers({ 'cache-control': privateCache, 'content-type': jsonType })
          .send('{"status":"accepted"}')
      },
    )
  })
}

function readPayload(body: string): Omit<HostDelivery, 'id' | 'event'> & { repositoryIds: number[] } {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new ServiceError('invalid_json')
  }
  const payload = Payload.safeParse(value)
  if (!payload.success) throw new ServiceError('invalid_json')
  const { action, repository, pull_request, check_run, check_suite, sha, id, ...ofApp } = payload.data
  const about = [...(repository ? [repository] : []), ...Object.values(ofApp).flat()]
  return {
    action,
    repositoryIds: about.map(({ id }) => id),
    repository_id: repository?.id ?? null,
    pull_number: pull_request?.number ?? null,
    head_sha: (check_run ?? check_suite)?.head_sha ?? sha,
    check_id: check_run?.id ?? (sha === null ? null : id),
    report: readReport(value),
  }
}

function readReport(value: unknown): PullReport | null {
  const { data } = Report.safeParse(value)
  if (!data) return null
  const { action, repository, pull_request } = data
  const { number, state, merged_at, updated_at, head, merged_by, merge_commit_sha } = pull_request
  const head_sha = head.sha
  const isWhole = merged_at && head_sha && merge_commit_sha && merged_by && merged_by.login !== 'ghost'
  return {
    repository_id: repository.id,
    number,
    is_open: state === 'open',
    merged: merged_at !== null,
    is_opening: action === 'opened',
    changed_at: new Date(updated_at),
    head_ref: head.ref,
    merge: isWhole ? { merged_at, merged_by_id: merged_by.id, merge_commit_sha, head_sha } : null,
  }
}
