import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** Gives every successful read an ETag, and answers 304 without a body to a client that has it already. */
export function addETags(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    const tag = `"${createHash('sha256').update(payload).digest('hex')}"`
    reply.header('etag', `W/${tag}`).header('cache-control', 'private, max-age=60, s-maxage=60')
    const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim())
    if (!known.some((one) => one === '*' || one.replace(/^W\//, '') === tag)) return payload
    reply.code(304).removeHeader('content-type')
    return ''
  })
}
