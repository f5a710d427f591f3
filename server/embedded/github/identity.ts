import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Api, sameName } from './api.ts'
import { mostWaiting } from './code.ts'
import { GitHubError } from './errors.ts'
import { served } from './git/run-git.ts'

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

/** Credentials of the REST interface: the platform's token, or an agent's. */
export function addCredentials(app: FastifyInstance, api: Api): void {
  app.decorateRequest('caller', null as unknown as Caller)
  // An agent's token stays one when it has expired, even where every other token is accepted.
  const isPlatform = (token: string) =>
    api.token === undefined ? !token.startsWith('ghu_') : token === api.token

  app.addHook('onRequest', async (request) => {
    const token = bearer(request)
    if (!token) throw new GitHubError(401, 'Requires authentication')
    const agent = await api.agentOf(token)
    if (agent !== undefined) request.caller = { kind: 'agent', login: agent }
    else if (isPlatform(token)) request.caller = { kind: 'platform', login: api.addresses.organization }
    else throw new GitHubError(401, 'Bad credentials')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    // In the repositories of agents the platform is an App that reads.
    const { owner = api.addresses.organization } = request.params as { owner?: string }
    if (agent === undefined && !isRead && !sameName(owner, api.addresses.organization)) throw forbidden()
    if (agent !== undefined && !isRead && !request.routeOptions.config.agents && request.is404 === false)
      throw forbidden()
  })
  app.addHook('preHandler', ({ method, caller: { kind, login } }, _reply, done) => {
    const isPlatform = kind === 'platform'
    // What has changed something is not refused afterwards.
    const isLimited = method === 'GET' && !isPlatform
    served.run({ isPlatform, login: isPlatform ? '' : login, ...(isLimited && { mostWaiting }) }, done)
  })
}

/** GitHub's refusal of something that needs more rights. */
export function forbidden(): GitHubError {
  return new GitHubError(403, 'Resource not accessible by personal access token')
}

function bearer(request: FastifyRequest): string | undefined {
  return /^(?:bearer|token) +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}
