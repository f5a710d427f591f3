import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createContext } from '../../../server/context.ts'
import { digestOfKey } from '../../../server/crypto/sealed-response.ts'
import { listOperations } from '../../../server/http/adapter/operations.ts'
import { idPrefixes } from '../../../server/ids.ts'
import { router } from '../../../server/router.ts'
import { relaySettings, relaysOn } from '../../engines/relays/support/relays.ts'
import { type Api, createApi } from '../../support/api.ts'
import { obliging, submittedHead } from '../../support/code-host.ts'
import { createRecipient } from '../../support/hpke.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { someAddress } from '../../support/values.ts'
import { startReceiver, webhooksOn } from '../../support/webhooks.ts'

// The stock handler changes the shared schemas, so nothing else may be tested in this process.
const market = await createTestMarket({ settings: relaySettings, onGitHubRequest: obliging })
afterAll(market.close)
const receiver = await startReceiver()
afterAll(receiver.close)
const hooks = webhooksOn(market)
const statuses = new Map(listOperations(router).map(({ id, meta }) => [id, meta.status]))

/** trpc-to-openapi's own handler on the same router and the same parts. */
const stock = createServer(
  createOpenApiNodeHttpHandler({
    router: router as never,
    responseMeta: ({ paths, errors }: { paths?: readonly string[]; errors: unknown[] }) =>
      errors.length > 0 ? {} : { status: statuses.get(paths?.[0] ?? '') },
    createContext: async ({ req }: { req: { headers: Record<string, string | undefined> } }) => {
      const { services } = market
      const { authorization, 'idempotency-key': key } = req.headers
      const idempotent = key
        ? {
            keyDigest: digestOfKey('', key),
            resume: null,
            storeResume: async () => undefined,
          }
        : null
      const request = {
        services,
        requestId: 'req_parity',
        log: services.log,
        agent: authorization ? await services.apiKeys.authenticate(services.reads, authorization) : null,
        signal: new AbortController().signal,
      }
      return createContext(request, { idempotent, store: async () => undefined })
    },
  } as never),
)
let theirs: Api
beforeAll(async () => {
  await new Promise<void>((listening) => stock.listen(0, '127.0.0.1', listening))
  theirs = createApi(`http://127.0.0.1:${(stock.address() as AddressInfo).port}`)
})
afterAll(() => stock.close())
const ours = market.api

type Request = [method: string, path: string, options?: Parameters<Api>[2]]

const ids = new RegExp(`(${Object.values(idPrefixes).join('|')})[0-9a-z]{20}`, 'g')

/** Masks what differs between two runs of the same scenario: ids, addresses, hashes, keys and times. */
function masked(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replace(/bmk_\w+/g, '<key>')
    .replace(/whsec_[\w+/=]+/g, '<secret>')
    .replace(ids, '<$1>')
    .replace(/0x[0-9a-fA-F]{64}/g, '<hash>')
    .replace(/0x[0-9a-fA-F]{40}/g, '<address>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/-[0-9a-z]{8}(?=["/])/g, '-<suffix>')
    .replace(/pull\/\d+/g, 'pull/<n>')
    .replace(/"(ciphertext|encapsulated_key)":"[\w+/=]+"/g, '"$1":"<base64>"')
  return JSON.parse(text)
}

describe('reads return the same bytes', async () => {
  const bounty = await market.bountyInReview()
  const { project, founder, claimant } = bounty
  const { submissionId } = await market.doneBounty({ project })
  const claimed = await market.claimedBounty({ project })
  const relays = relaysOn(market)
  const holder = await relays.holder(project)
  const { id: withdrawal } = (await relays.withdraw(holder, project)).body.withdrawal
  await until(relays.is(withdrawal, 'confirmed'))
  const allowance = { key: founder.key, body: { amount: '200000' } }
  const { id: change } = (await ours('POST', `/api/projects/${project.id}/allowance`, allowance)).body
    .allowance
  await until(relays.is(change, 'confirmed'))
  const { webhook } = await hooks.create(founder, receiver.url)
  await hooks.event(founder)
  const reads: Request[] = [
    ['GET', '/api/agents/me', { key: claimant.key }],
    ['GET', '/api/agents/me/balances', { key: founder.key }],
    ['GET', `/api/names?ids=${claimant.id},${project.id}`, { key: founder.key }],
    ['GET', `/api/agents/${claimant.id}`, { key: founder.key }],
    ['GET', '/api/agents/me/projects?limit=1', { key: founder.key }],
    ['GET', '/api/agents/me/bounties?status=in_review', { key: founder.key }],
    ['GET', '/api/agents/me/submissions?status=pending', { key: claimant.key }],
    ['GET', '/api/agents/me/tasks?limit=1', { key: founder.key }],
    ['GET', `/api/projects/${project.id}/submissions?limit=1`, { key: founder.key }],
    ['GET', `/api/submissions/${bounty.submissionId}`, { key: claimant.key }],
    ['GET', `/api/submissions/${bounty.submissionId}/pull-request`, { key: founder.key }],
    ['GET', '/api/projects'],
    ['GET', '/api/projects?status=active&q=calc&limit=1&offset=0'],
    ['GET', `/api/projects/${project.id}`],
    ['GET', `/api/projects/${project.id}/approval-status`, { key: founder.key }],
    ['GET', `/api/projects/${project.id}/market?sell=2.5`, { key: claimant.key }],
    ['GET', `/api/projects/${project.id}/market/history`, { key: claimant.key }],
    ['GET', `/api/projects/${project.id}/funds`, { key: claimant.key }],
    ['GET', '/api/payouts/weekly', { key: claimant.key }],
    ['GET', '/api/payouts?limit=3', { key: claimant.key }],
    ['GET', `/api/submissions/${submissionId}/payout`, { key: claimant.key }],
    ['GET', `/api/projects/${project.id}/allowance`, { key: founder.key }],
    ['GET', '/api/agents/me/withdrawals?limit=1', { key: holder.key }],
    ['GET', `/api/agents/me/withdrawals/${withdrawal}`, { key: holder.key }],
    ['GET', '/api/bounties'],
    ['GET', `/api/bounties?status=in_review&project_id=${project.id}&difficulty=medium&q=div&limit=100`],
    ['GET', '/api/bounties?offset=5'],
    ['GET', `/api/bounties/${bounty.id}`],
    ['GET', `/api/bounties/${claimed.id}/claim`, { key: founder.key }],
    ['GET', `/api/bounties/${bounty.id}/review`, { key: founder.key }],
    ['GET', `/api/bounties/${bounty.id}/timeline?limit=2`, { key: founder.key }],
    ['GET', `/api/bounties/${claimed.id}/preflight`, { key: claimant.key }],
    ['GET', '/api/activity'],
    ['GET', `/api/activity?limit=2&project_id=${project.id}`],
    ['GET', '/api/events?after=0&limit=2', { key: claimant.key }],
    ['GET', '/api/webhooks', { key: founder.key }],
    ['GET', `/api/webhooks/${webhook.id}`, { key: founder.key }],
    ['GET', `/api/webhooks/${webhook.id}/deliveries?limit=1`, { key: founder.key }],
    ['GET', '/api/dashboard/stats'],
    ['GET', '/api/config/public'],
  ]
  test.each(reads)('%s %s', async (method, path, options) => {
    const [one, other] = [await ours(method, path, options), await theirs(method, path, options)]
    expect(one.status).toBe(200)
    expect(one.status).toBe(other.status)
    expect(JSON.stringify(one.body)).toBe(JSON.stringify(other.body))
  })

  test('cover every operation that reads', () => {
    const covered = new Set(
      reads.map(([, path]) => path.split('?')[0]?.replace(/(agent|proj|bnt|sub|wd|wh)_\w+/, '{id}')),
    )
    const all = listOperations(router).filter(({ method }) => method === 'GET')
    expect([...covered].sort()).toEqual(all.map(({ path }) => path).sort())
  })
})

describe('writes return the same, except ids, addresses and times', () => {
  const json = { 'content-type': 'application/json' }
  /** A request about a webhook that got an event. */
  const onWebhook =
    (method: string, action: (event: string) => string, body: object | undefined = {}) =>
    async (): Promise<Request> => {
      const agent = await market.register()
      const { webhook } = await hooks.create(agent, receiver.url)
      const path = `/api/webhooks/${webhook.id}${action(await hooks.event(agent))}`
      return [method, path, { key: agent.key, ...(method !== 'DELETE' && { body }) }]
    }
  const writes: [id: string, prepare: () => Promise<Request>][] = [
    ['agents.register', async () => ['POST', '/api/agents/register', { body: { name: 'Ada' } }]],
    [
      'agents.setWallet',
      async () => {
        const { key } = await market.register()
        return ['PATCH', '/api/agents/me/wallet', { key, body: { wallet_address: someAddress } }]
      },
    ],
    [
      'agents.generateWallet',
      async () => {
        const { key } = await market.registerWithoutWallet()
        return ['POST', '/api/agents/me/generate-wallet', { key, body: {} }]
      },
    ],
    [
      'agents.rotateKey',
      async () => {
        const { key } = await market.register()
        return ['POST', '/api/agents/me/rotate-key', { key, body: { overlap_seconds: 60 } }]
      },
    ],
    [
      'agents.exportWallet',
      async () => {
        const { key } = await market.register()
        const body = { recipient_public_key: createRecipient().spki }
        return ['POST', '/api/agents/me/wallet/export', { key, body }]
      },
    ],
    [
      'projects.create',
      async () => {
        const { key } = await market.register()
        const body = { name: 'Calculator', description: 'Counts.', token_symbol: 'CALC', token_supply: 1_000 }
        return ['POST', '/api/projects', { key, body }]
      },
    ],
    [
      'projects.activate',
      async () => {
        const { id, founder } = await market.proposedProject()
        return ['POST', `/api/projects/${id}/activate`, { key: founder.key, body: {} }]
      },
    ],
    [
      'projects.setAllowance',
      async () => {
        const { id, founder } = await market.activeProject()
        return ['POST', `/api/projects/${id}/allowance`, { key: founder.key, body: { amount: '200000' } }]
      },
    ],
    [
      'projects.setMaintainer',
      async () => {
        const { id, founder } = await market.activeProject()
        return ['POST', `/api/projects/${id}/maintainer`, { key: founder.key, body: { github_login: 'ada' } }]
      },
    ],
    [
      'withdrawals.create',
      async () => {
        const project = await market.activeProject()
        const { key } = await relaysOn(market).holder(project)
        const body = { project_id: project.id, amount: '1', to: someAddress, as: 'tokens' }
        return [
          'POST',
          '/api/agents/me/withdrawals',
          { key, headers: { 'idempotency-key': randomUUID() }, body },
        ]
      },
    ],
    [
      'bounties.create',
      async () => {
        const { id, founder } = await market.activeProject()
        const body = { title: 'Add division', description: 'Whole numbers.', reward_amount: 7 }
        return ['POST', `/api/projects/${id}/bounties`, { key: founder.key, body }]
      },
    ],
    [
      'bounties.claim',
      async () => {
        const [{ id }, { key }] = [await market.openBounty(), await market.register()]
        return ['POST', `/api/bounties/${id}/claim`, { key, headers: json, body: {} }]
      },
    ],
    [
      'bounties.extend',
      async () => {
        const { id, claimant } = await market.claimedBounty()
        return ['POST', `/api/bounties/${id}/extend`, { key: claimant.key, body: {} }]
      },
    ],
    [
      'bounties.release',
      async () => {
        const { id, claimant } = await market.claimedBounty()
        return ['POST', `/api/bounties/${id}/release`, { key: claimant.key, body: {} }]
      },
    ],
    [
      'bounties.submit',
      async () => {
        const { id, claimant, project } = await market.claimedBounty()
        const body = { pr_url: await market.pullRequest(project) }
        return ['POST', `/api/bounties/${id}/submit`, { key: claimant.key, body }]
      },
    ],
    [
      'bounties.approve',
      async () => {
        const { id, founder } = await market.bountyInReview()
        return ['POST', `/api/bounties/${id}/approve`, { key: founder.key, body: { review_notes: 'Good.' } }]
      },
    ],
    [
      'bounties.reject',
      async () => {
        const { id, founder } = await market.bountyInReview()
        return ['POST', `/api/bounties/${id}/reject`, { key: founder.key, body: { review_notes: 'No.' } }]
      },
    ],
    [
      'bounties.requestChanges',
      async () => {
        const { id, founder } = await market.bountyInReview()
        const body = { review_notes: 'Add a test.' }
        return ['POST', `/api/bounties/${id}/request-changes`, { key: founder.key, body }]
      },
    ],
    [
      'bounties.merge',
      async () => {
        const { id, founder, submissionId } = await market.doneBounty()
        const body = { expected_head_sha: await submittedHead(market.db, submissionId) }
        return ['POST', `/api/bounties/${id}/merge`, { key: founder.key, body }]
      },
    ],
    [
      'bounties.cancel',
      async () => {
        const { id, founder } = await market.openBounty()
        return ['POST', `/api/bounties/${id}/cancel`, { key: founder.key, body: {} }]
      },
    ],
    [
      'webhooks.create',
      async () => {
        const { key } = await market.register()
        return ['POST', '/api/webhooks', { key, body: { url: receiver.url } }]
      },
    ],
    ['webhooks.update', onWebhook('PATCH', () => '', { enabled: false, event_types: null })],
    ['webhooks.delete', onWebhook('DELETE', () => '')],
    ['webhooks.rotateSecret', onWebhook('POST', () => '/rotate-secret')],
    ['webhooks.test', onWebhook('POST', () => '/test')],
    ['webhooks.redeliver', onWebhook('POST', (event) => `/deliveries/${event}/redeliver`)],
    ['webhooks.replay', onWebhook('POST', () => '/replay', { after: '0' })],
    [
      'submissions.retract',
      async () => {
        const { submissionId, claimant } = await market.bountyInReview()
        return ['POST', `/api/submissions/${submissionId}/retract`, { key: claimant.key, body: {} }]
      },
    ],
  ]
  test.each(writes)('%s', async (id, prepare) => {
    const one = await ours(...(await prepare()))
    const other = await theirs(...(await prepare()))
    expect(one.status).toBe(statuses.get(id))
    expect(one.status).toBe(other.status)
    expect(masked(one.body)).toEqual(masked(other.body))
  })

  test('cover every operation that writes', () => {
    const all = listOperations(router).filter(({ method }) => method !== 'GET')
    expect(writes.map(([id]) => id).sort()).toEqual(all.map(({ id }) => id).sort())
  })
})
