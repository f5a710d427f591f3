import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Frame, toHtml } from '#board/html'
import manifest from '../../package.json' with { type: 'json' }
import type { State } from '../db/reads/snapshots.ts'
import { refuseNul } from '../http/adapter/input.ts'
import type { Operation } from '../http/adapter/operations.ts'
import { sendCompressed } from '../http/cache/compression.ts'
import { tagged } from '../http/cache/etag.ts'
import { createResponseCache } from '../http/cache/response-cache.ts'
import { readingSince, type Surroundings } from '../http/expose.ts'
import type { ForBrowsers, Handler } from '../http/pages/pages.ts'
import { serveAssets } from './assets.ts'
import { failWithPage, pageHeaders } from './failure.ts'
import { serveLive } from './live.ts'
import { toMarkdown } from './markdown.ts'
import { createNames } from './names.ts'
import type { PageDefinition, Site } from './pages/definition.ts'
import { home } from './pages/home.ts'
import { pages } from './pages/pages.ts'
import { addressOf } from './pages/parts.ts'
import { createReader, visitOf } from './reader.ts'
import { createRecentWeeks } from './weeks.ts'

const markdownType = 'text/markdown; charset=utf-8'

/** How the board is served. */
export interface BoardOptions {
  operations: readonly Operation[]
  surroundings: Surroundings
}

/** The board: pages for people and their Markdown for agents. */
export async function serveBoard(app: FastifyInstance, options: BoardOptions): Promise<ForBrowsers> {
  const { surroundings } = options
  const { limits, bulkheads } = surroundings
  const limit = limits.of({ method: 'GET', access: 'public' })
  const frame: Frame = { ...(await serveAssets(app, limit)), version: manifest.version }
  const context = contextOf(options)
  const handlerOf = createHandlers(options, frame, context)
  serveLive(app, { surroundings, limit, ...context })
  const fail = failWithPage(frame)
  const routeOf = (page: PageDefinition) => {
    const bulkhead = bulkheads.of({ id: `board.${page.name}`, meta: page })
    return {
      config: { operation: `board.${page.name}` },
      onRequest: (request: FastifyRequest, reply: FastifyReply) =>
        bulkhead.beforeBody(async () => limit(request, reply)),
    }
  }
  for (const page of pages) {
    if (page !== home)
      app.get(page.path, { ...routeOf(page), errorHandler: fail, handler: handlerOf(page, 'html') })
    app.get(markdownPath(page.path), { ...routeOf(page), handler: handlerOf(page, 'markdown') })
  }
  return { frontPage: { ...routeOf(home), handler: handlerOf(home, 'html') }, fail }
}

/** An id has no dot, so that one with `.md` is the Markdown of its page. */
function markdownPath(path: string): string {
  return path === '/' ? '/index.md' : `${path.replace(':id', ':id(^[^.]+)')}.md`
}

/** What all pages are made with. */
function contextOf({ operations, surroundings }: BoardOptions) {
  const { config, chain, db } = surroundings.services
  const site: Site = {
    explorerUrl: config.CHAIN_EXPLORER_URL?.replace(/\/$/, '') ?? null,
    feeBps: config.PLATFORM_FEE_BPS,
    async chainState() {
      await chain.refresh()
      return chain.state
    },
    rpcUrl: config.CHAIN_PUBLIC_RPC_URL ?? null,
    platformWallet: () => chain.chain?.platformWallet ?? null,
  }
  return { readFor: createReader(operations), namesFrom: createNames(), weeks: createRecentWeeks(db), site }
}

function createHandlers(
  { surroundings }: BoardOptions,
  frame: Frame,
  { readFor, namesFrom, weeks, site }: ReturnType<typeof contextOf>,
) {
  const { bulkheads, drain, services } = surroundings
  // Of their own, so that visitors push no responses of the API out.
  const cache = createResponseCache(services.config.REMEMBER_RESPONSES ? services.reads.snapshots : undefined)
  return (page: PageDefinition, as: 'html' | 'markdown'): Handler => {
    const bulkhead = bulkheads.of({ id: `board.${page.name}`, meta: page })
    const headers = as === 'html' ? pageHeaders : { 'content-type': markdownType }
    return async (request, reply) => {
      const { id = '' } = request.params as { id?: string }
      const query = knownParameters(page, request)
      refuseNul({ id, ...query })
      const path = addressOf(
        page.path.replace(':id', () => encodeURIComponent(id)),
        query,
      )
      const make = (state?: State) =>
        bulkhead.serve(request, async () => {
          const { services } = readingSince(surroundings, state)
          const signal = page.cacheable ? drain.closing : drain.signalOf(reply)
          const read = readFor(visitOf(request, services, { signal }))
          const names = namesFrom(services.reads)
          const made = await page.make({ read, names, weeks, site, id, path, query })
          const body = as === 'html' ? toHtml(made, frame) : toMarkdown(made)
          return tagged({ status: 200, headers, body })
        })
      const response = page.cacheable ? await cache.get(`${as} ${path}`, { read: make }) : await make()
      return sendCompressed(request, reply, response)
    }
  }
}

/** The parameters that the page has, each once, without those that a form sent empty. */
function knownParameters({ query = [] }: PageDefinition, request: FastifyRequest): Record<string, string> {
  const given = request.query as Record<string, string | string[]>
  const values = query.map((name) => [name, [given[name] ?? ''].flat().at(-1) ?? ''] as const)
  return Object.fromEntries(values.filter(([, value]) => value.trim() !== ''))
}
