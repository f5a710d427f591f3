import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { assetPath } from '../assets.ts'
import { conditional } from './etag.ts'
import { jsonType } from './headers.ts'
import type { Limit } from './rate-limits.ts'

/** `GET /openapi.json`: the committed document, where the program was installed with it. */
export async function serveDocument(app: FastifyInstance, limit: Limit): Promise<void> {
  const body = await readFile(assetPath('openapi/openapi.json'), 'utf8').catch(() => undefined)
  if (body === undefined) return
  const whole = { status: 200, headers: { 'content-type': jsonType }, body }
  app.get('/openapi.json', { onRequest: limit }, async (request, reply) => {
    const answer = conditional(whole, request.headers['if-none-match'])
    return reply.code(answer.status).headers(answer.headers).send(answer.body)
  })
}
