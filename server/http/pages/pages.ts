import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Document } from '../../../openapi/types.ts'
import sdk from '../../../sdk/package.json' with { type: 'json' }
import { ServiceError } from '../../errors.ts'
import type { ChainConnection } from '../../money/chain/connection.ts'
import { sendCompressed } from '../cache/compression.ts'
import { tagged } from '../cache/etag.ts'
import { jsonType, publicCache, varyBy } from '../headers.ts'
import type { Limit } from '../limits/rate-limits.ts'
import { contractsDocument } from './contracts.ts'
import { apiCatalog, type Clients, catalogType, descriptionLinks, mcpEntry, skillIndex } from './discovery.ts'
import { addressIndex, wantsPage } from './front-page.ts'
import { llmsText } from './llms.ts'
import { openApiDocument } from './openapi-document.ts'
import { skillMarkdown } from './skill.ts'
import { skillPart } from './skill-parts.ts'

const text = 'text/plain; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'

/** Responds to anything thrown with a page that says what the API says in JSON. */
export type FailWithPage = (
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

export type Handler<Result = FastifyReply> = (request: FastifyRequest, reply: FastifyReply) => Promise<Result>

/** How browsers are served where programs get something else. */
export interface ForBrowsers {
  /** `/`, whose route belongs to the index of addresses, which programs get there. */
  frontPage: { config: { operation: string }; onRequest: Handler<void>; handler: Handler }
  /** Says in a page what cannot be shown. */
  fail: FailWithPage
}

/** Options of the documentation pages. */
export interface PagesOptions {
  /** Base address agents use; default: the address each request was sent to. */
  publicUrl?: string | undefined
  chain: Pick<ChainConnection, 'chain'>
  /** Whether the name of the SDK in the npm registry is ours. Where it is not, its owner would get agents' keys. */
  sdkPublished: boolean
  /** Counts each request for a page. */
  limit: Limit
  browsers: ForBrowsers
}

/**
 * Serves `/llms.txt`, `/skill.md` and its parts, `/contracts.json`, `/server.json` and `/.well-known` (for agents), and `/`, which leads to
 * them and is the board for browsers. Most are made from the OpenAPI document.
 */
export function serveDocumentationPages(app: FastifyInstance, options: PagesOptions): void {
  const { chain, limit, publicUrl, sdkPublished, browsers } = options
  const route = { onRequest: limit }

  const page = (path: string, type: string, make: (document: Document, baseUrl: string) => string) =>
    app.get(path, route, async (request, reply) =>
      sendPage(request, reply, type, make(await openApiDocument(), baseUrlOf(request, publicUrl))),
    )

  const clientsAt = (baseUrl: string): Clients => ({
    npm: sdkPublished ? sdk.name : `${baseUrl}/sdk.tgz`,
    pip: `${baseUrl}/sdk-python.tgz`,
  })
  const skill = (document: Document, baseUrl: string) => skillMarkdown(document, baseUrl, clientsAt(baseUrl))
  page('/llms.txt', text, (document, baseUrl) => llmsText(document, baseUrl, clientsAt(baseUrl)))
  page('/skill.md', markdown, skill)
  app.get<{ Params: { name: string } }>('/skill/:name.md', route, async (request, reply) => {
    const { name } = request.params
    const body = skillPart(await openApiDocument(), baseUrlOf(request, publicUrl), name)
    if (body === undefined) throw new ServiceError('not_found')
    return sendPage(request, reply, markdown, body)
  })
  page('/.well-known/agent-skills/index.json', jsonType, (document, baseUrl) =>
    JSON.stringify(skillIndex(baseUrl, skill(document, baseUrl))),
  )
  page('/contracts.json', jsonType, () => contractsDocument(chain.chain))
  page('/server.json', jsonType, (_, baseUrl) => JSON.stringify(mcpEntry(baseUrl)))
  app.get('/.well-known/api-catalog', route, (request, reply) => {
    const baseUrl = baseUrlOf(request, publicUrl)
    reply.header('link', descriptionLinks(baseUrl))
    return sendPage(request, reply, catalogType, JSON.stringify(apiCatalog(baseUrl)))
  })
  const { handler, ...frontRoute } = browsers.frontPage
  const errorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (!wantsPage(request.headers.accept)) throw thrown
    return browsers.fail(thrown, request, reply)
  }
  app.get('/', { ...frontRoute, errorHandler }, async (request, reply) => {
    // `GET *` and a URL without a path also arrive here.
    if (!request.raw.url?.startsWith('/')) throw new ServiceError('not_found')
    varyBy(reply, 'accept')
    const baseUrl = baseUrlOf(request, publicUrl)
    reply.header('link', descriptionLinks(baseUrl))
    if (wantsPage(request.headers.accept)) return handler(request, reply)
    return sendPage(request, reply, jsonType, JSON.stringify(addressIndex(await openApiDocument(), baseUrl)))
  })
  app.get('/docs/', route, (_request, reply) => redirectToDocs(reply))
}

function redirectToDocs(reply: FastifyReply) {
  return reply.header('cache-control', publicCache).redirect('/docs', 302)
}

/** Sends a public text with its ETag, compressed if the client accepts that, or 304 to a client that has it. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, type: string, body: string) {
  return sendCompressed(request, reply, tagged({ status: 200, headers: { 'content-type': type }, body }))
}

/** The base address agents use: the configured one, or that which the request was sent to. */
export function baseUrlOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ?? addressOf(request)
}

/** The address the request was sent to; empty if its Host is not a plain host name, so that nothing else gets into a page. */
function addressOf({ protocol, host }: FastifyRequest): string {
  const address = `${protocol}://${host}`
  const isPlain = /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host)
  return isPlain && URL.canParse(address) ? address : ''
}
