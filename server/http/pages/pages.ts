import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Document } from '../../../openapi/types.ts'
import { assetPath } from '../../config/asset-path.ts'
import { ServiceError } from '../../errors.ts'
import { conditional } from '../cache/etag.ts'
import { jsonType, publicCache, varyBy } from '../headers.ts'
import type { Limit } from '../limits/rate-limits.ts'
import { docsAssets, docsPage, docsPolicy, docsScript } from './docs.ts'
import { addressIndex, wantsPage } from './front-page.ts'
import { llmsText } from './llms.ts'
import { skillMarkdown } from './skill.ts'

const text = 'text/plain; charset=utf-8'

/** What the pages need from their surroundings. */
export interface PagesOptions {
  /** Base address agents use; default: the one each request was sent to. */
  publicUrl?: string | undefined
  /** Counts each request for a page. */
  limit: Limit
}

/**
 * `GET /docs` (the document for browsers), `/llms.txt` and `/skill.md` (for agents), and `/`, which leads to them; all
 * made from the committed document where the program was installed with it.
 */
export async function serveDocumentationPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const source = await readFile(assetPath('openapi/openapi.json'), 'utf8').catch(() => undefined)
  if (source === undefined) return
  const document = JSON.parse(source) as Document
  const { limit, publicUrl } = options
  const route = { onRequest: limit }

  app.get('/llms.txt', route, (request, reply) =>
    send(request, reply, text, llmsText(document, publicUrl ?? addressOf(request))),
  )
  app.get('/skill.md', route, (request, reply) =>
    send(
      request,
      reply,
      'text/markdown; charset=utf-8',
      skillMarkdown(document, publicUrl ?? addressOf(request)),
    ),
  )
  app.get('/docs', route, (request, reply) => {
    reply.header('content-security-policy', docsPolicy)
    return send(request, reply, 'text/html; charset=utf-8', docsPage)
  })
  app.get('/docs/start.js', route, (request, reply) =>
    send(request, reply, 'text/javascript; charset=utf-8', docsScript),
  )
  app.get('/', route, (request, reply) => {
    // `GET *` and an address without a path come here as well.
    if (!request.raw.url?.startsWith('/')) throw new ServiceError('not_found')
    varyBy(reply, 'accept')
    if (wantsPage(request.headers.accept)) return seeDocs(reply)
    const index = addressIndex(document, publicUrl ?? addressOf(request))
    return send(request, reply, jsonType, JSON.stringify(index))
  })
  app.get('/docs/', route, (_request, reply) => seeDocs(reply))
  await serveAssets(app, limit)
}

function seeDocs(reply: FastifyReply) {
  return reply.header('cache-control', publicCache).redirect('/docs', 302)
}

async function serveAssets(app: FastifyInstance, limit: Limit): Promise<void> {
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  await app.register(fastifyStatic, { root, serve: false, maxAge: '1h' })
  app.get<{ Params: { file: string } }>('/docs/assets/:file', { onRequest: limit }, (request, reply) => {
    if (!docsAssets.includes(request.params.file)) throw new ServiceError('not_found')
    return reply.sendFile(request.params.file)
  })
}

function send(request: FastifyRequest, reply: FastifyReply, type: string, body: string) {
  const whole = { status: 200, headers: { 'content-type': type }, body }
  const answer = conditional(whole, request.headers['if-none-match'])
  return reply.code(answer.status).headers(answer.headers).send(answer.body)
}

/** The address the request was sent to; a Host that could be no host is not repeated. */
function addressOf({ protocol, host }: FastifyRequest): string {
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? `${protocol}://${host}` : ''
}
