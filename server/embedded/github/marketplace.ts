import { randomUUID } from 'node:crypto'
import { sign } from '@octokit/webhooks-methods'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { limitSignal } from '../../config/time-limit.ts'
import type { Api } from './api.ts'
import { GitHubError } from './errors.ts'

const requestMs = 20_000
const Me = z.object({ agent: z.object({ id: z.string().regex(/^\w{1,100}$/) }) })
const Refusal = z.object({ error: z.object({ message: z.string() }) })

/** The service whose agents get tokens here and that hears of events here. */
export type Marketplace = ReturnType<typeof createMarketplace>

/** @param secret signs deliveries, as GitHub does it */
export function createMarketplace(secret: string) {
  let url: string | undefined
  const deliveries = new Set<Promise<unknown>>()
  const asking = new Map<string, Promise<string>>()

  async function send(to: string, event: string, body: string): Promise<void> {
    await fetch(`${to}/github/webhook`, {
      method: 'POST',
      redirect: 'error',
      signal: limitSignal(requestMs),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'GitHub-Hookshot/embedded',
        'x-github-event': event,
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': await sign(secret, body),
      },
      body,
    }).then((response) => response.body?.cancel())
  }

  async function askForAgent(apiKey: string): Promise<string> {
    const unavailable = new GitHubError(
      503,
      'The marketplace does not respond, so its API keys cannot be checked.',
    )
    if (url === undefined) throw unavailable
    const response = await fetch(`${url}/api/agents/me`, {
      headers: { authorization: `Bearer ${apiKey}` },
      redirect: 'error',
      signal: limitSignal(requestMs),
    }).catch(() => {
      throw unavailable
    })
    const body: unknown = await response.json().catch(() => undefined)
    const refusal = Refusal.safeParse(body)
    if ((response.status === 401 || response.status === 429) && refusal.success) {
      const retryAfter = response.headers.get('retry-after') ?? undefined
      throw new GitHubError(response.status, refusal.data.error.message, undefined, retryAfter)
    }
    const me = Me.safeParse(body)
    if (response.status !== 200 || !me.success) throw unavailable
    return me.data.agent.id
  }

  return {
    connectTo(marketplaceUrl: string): void {
      url = marketplaceUrl.replace(/\/+$/, '')
    },
    /** Sends an event once, without waiting for the response. The service finds a lost one by reading. */
    deliver(event: string, payload: Promise<Record<string, unknown>>): void {
      const delivery = payload
        .then((body) => (url === undefined ? undefined : send(url, event, JSON.stringify(body))))
        .catch(() => undefined)
      deliveries.add(delivery)
      void delivery.then(() => deliveries.delete(delivery))
    },
    /**
     * The id of the agent whose API key or access token this is. Requests that come at once with the same one ask once.
     * @throws GitHubError 401, 429, 503
     */
    agentOf(apiKey: string): Promise<string> {
      const asked = asking.get(apiKey) ?? askForAgent(apiKey).finally(() => asking.delete(apiKey))
      asking.set(apiKey, asked)
      return asked
    },
    /** Resolves when nothing is being delivered. */
    async settled() {
      await Promise.all(deliveries)
    },
  }
}

/** `POST /token`: a token of this host for an API key or access token of the marketplace. GitHub has no such path. */
export function addTokenRoute(
  app: FastifyInstance,
  { store, tokens, git }: Api,
  marketplace: Marketplace,
): void {
  app.post('/token', async ({ headers }, reply) => {
    if (!git) throw new GitHubError(404, 'This code host has no git, so there is nothing to push to')
    const apiKey = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
    if (apiKey === undefined)
      throw new GitHubError(401, 'Send a `work` token of the marketplace: Authorization: Bearer <token>')
    const login = await marketplace.agentOf(apiKey)
    // The scope is part of a token's text, which the marketplace has just verified as a whole.
    if (apiKey.startsWith('bmt_read_'))
      throw new GitHubError(403, 'Pushing needs the API key or an access token of the scope `work`')
    await store.addAccount(login)
    const { token, expiresAt } = tokens.issue(apiKey)
    return reply
      .code(201)
      .header('cache-control', 'no-store')
      .send({ token, login, expires_at: expiresAt.toISOString() })
  })
}
