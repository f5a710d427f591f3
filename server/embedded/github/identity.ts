import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import manifest from '../../repositories/github-app-manifest.json' with { type: 'json' }
import type { Api } from './api.ts'
import { publicUser } from './bodies.ts'
import { GitHubError } from './errors.ts'

/** Who sends a request: the platform that owns the organization, or an agent. */
export interface Caller {
  kind: 'platform' | 'agent'
  login: string
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyContextConfig {
    /** Whether agents may change something by this route; the route itself decides which. */
    agents?: boolean
  }
}

const installationTokenMs = 3_600_000
const appPath = '/app'
const exchangePath = `${appPath}/installations/:installation/access_tokens`

/** Credentials of the REST interface: the platform's token, an agent's, and an installed App's where `api.app` says so. */
export function addCredentials(app: FastifyInstance, api: Api): void {
  const issued = new LRUCache<string, true>({ max: 1_000, ttl: installationTokenMs })
  app.decorateRequest('caller', null as unknown as Caller)

  app.addHook('onRequest', async (request) => {
    const token = bearer(request)
    if (!token) throw new GitHubError(401, 'Requires authentication')
    const platform: Caller = { kind: 'platform', login: api.addresses.organization }
    // A GitHub App signs a JSON web token to request its installation token, and to read what it is.
    const isAppItself = /\/app(\/|$)/.test(request.routeOptions.url ?? '') && token.split('.').length === 3
    const agent = isAppItself ? undefined : api.tokens.verify(token)
    if (agent !== undefined) request.caller = { kind: 'agent', login: agent }
    else if (isAppItself || isPlatform(token)) request.caller = platform
    else throw new GitHubError(401, 'Bad credentials')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (agent !== undefined && !isRead && !request.routeOptions.config.agents && request.is404 === false)
      throw forbidden()
  })

  const isPlatform = (token: string) =>
    // An agent's token stays one when it has expired, even where every other token is accepted.
    issued.has(token) || (api.token === undefined ? !token.startsWith('ghu_') : token === api.token)

  if (!api.app) return
  const { default_permissions: permissions, default_events: events } = manifest
  app.get(appPath, async () => {
    const [created_at, updated_at] = Array(2).fill(new Date(0).toISOString())
    const { webUrl: external_url, organization } = api.addresses
    const owner = publicUser(api.addresses, organization)
    const names = { slug: 'bounty-marketplace', name: 'Bounty Marketplace', description: null }
    const html_url = `${external_url}/apps/${names.slug}`
    const ids = { id: 1, node_id: 'A_1' }
    return { ...ids, ...names, owner, external_url, html_url, created_at, updated_at, permissions, events }
  })
  app.post(exchangePath, async (_request, reply) => {
    const token = `ghs_${randomBytes(18).toString('hex')}`
    issued.set(token, true)
    const expires_at = new Date(Date.now() + installationTokenMs).toISOString()
    return reply.code(201).send({ token, expires_at, permissions, repository_selection: 'all' })
  })
}

/** GitHub's refusal of something that needs more rights. */
export function forbidden(page?: string): GitHubError {
  return new GitHubError(403, 'Resource not accessible by personal access token', page)
}

function bearer(request: FastifyRequest): string | undefined {
  return /^(?:bearer|token) +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}
