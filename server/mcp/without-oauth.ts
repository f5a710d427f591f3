import type { FastifyInstance } from 'fastify'
import { privateCache } from '../http/headers.ts'
import { authenticate } from '../http/limits/admission.ts'
import type { Services } from '../services.ts'

/**
 * Refuses a wrong key at `GET /mcp` as `POST` does. Many clients begin with that, and showed 405 where only the key was wrong.
 * It has to stand before what refuses the method.
 */
export function refuseWrongKeys(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', (request, _reply, next) => {
    const { is404, method, raw, headers } = request
    const isMeant = is404 && method === 'GET' && /^\/mcp(\?|$)/.test(raw.url ?? '')
    if (!isMeant || headers.authorization === undefined) return next()
    authenticate({ meta: { returnsSecret: false } }, request, { services }).then(() => next(), next)
  })
}

/** An error as OAuth has them (RFC 6749, 5.2; RFC 7591, 3.2.2). */
const noOAuth = {
  error: 'access_denied',
  error_description:
    'This server has no OAuth. The API key or access token in the header Authorization is missing, unknown, expired or revoked: ' +
    'configure another one as `Authorization: Bearer <token>`.',
}

/** Says why there is no access where clients look for OAuth after a 401, since that is the error that they show. */
export function serveWithoutOAuth(app: FastifyInstance): void {
  for (const path of ['/register', '/token'])
    app.post(path, {
      // Before the body, which is a form in one case and JSON in the other.
      onRequest: async (_request, reply) =>
        reply.code(400).header('cache-control', privateCache).send(noOAuth),
      handler: () => undefined,
    })
}
