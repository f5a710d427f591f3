import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Address } from 'viem'
import { type Frame, toHtml } from '#board/html'
import manifest from '../../package.json' with { type: 'json' }
import { missingParts } from '../config/config.ts'
import { refuseNul } from '../http/adapter/input.ts'
import type { Operation } from '../http/adapter/operations.ts'
import { sendCompressed } from '../http/cache/compression.ts'
import { tagged } from '../http/cache/etag.ts'
import { createResponseCache } from '../http/cache/response-cache.ts'
import type { RouteDependencies } from '../http/expose.ts'
import { baseUrlOf, type ForBrowsers, type Handler } from '../http/pages/pages.ts'
import { hoursByDifficulty } from '../lifecycle/deadlines.ts'
import { shapeOf } from '../money/chain/curve.ts'
import { lockHours } from '../money/deposits/locked.ts'
import { treasuryOf } from '../money/payouts/evidence/evidence.ts'
import { serveAssets, servePictures } from './assets.ts'
import { type AtomFeed, toAtom } from './atom.ts'
import { serveDesk } from './desk.ts'
import { failWithPage, pageHeaders } from './failure.ts'
import { serveLive } from './live.ts'
import { toMarkdown } from './markdown.ts'
import { createNames } from './names.ts'
import type { Page } from './page.ts'
import type { PageDefinition, Site } from './pages/definition.ts'
import { feeds } from './pages/feeds.ts'
import { home } from './pages/home.ts'
import { pages } from './pages/pages.ts'
import { addressOf } from './pages/parts.ts'
import { robots, sitemap, toRobots, toSitemap } from './pages/sitemap.ts'
import { createReader, fromChain, visitOf } from './reader.ts'

/** How the board is served. */
export interface BoardOptions {
  operations: readonly Operation[]
  dependencies: RouteDependencies
}

/** The board: pages for people and their Markdown for agents. */
export async function serveBoard(app: FastifyInstance, options: BoardOptions): Promise<ForBrowsers> {
  const { dependencies } = options
  const { limits, bulkheads } = dependencies
  const limit = limits.of({ method: 'GET', access: 'public' })
  const origin = dependencies.services.config.PUBLIC_URL
  const frame: Frame = { ...(await serveAssets(app, limit)), version: manifest.version, origin }
  await servePictures(app, limit)
  const context = contextOf(options)
  const handlerOf = createHandlers(options, context)
  const html = (page: PageDefinition) =>
    handlerOf(page, { as: 'html', headers: pageHeaders, render: (made) => toHtml(made, frame) })
  serveLive(app, { dependencies, limit, ...context })
  serveDesk(app, { dependencies, ...context })
  const fail = failWithPage(frame)
  const routeOf = <Made>(page: PageDefinition<Made>) => {
    const bulkhead = bulkheads.of({ id: operationOf(page), meta: page })
    return {
      config: { operation: operationOf(page) },
      onRequest: (request: FastifyRequest, reply: FastifyReply) =>
        bulkhead.beforeBody(async () => limit(request, reply)),
    }
  }
  for (const page of pages) {
    if (page !== home) app.get(page.path, { ...routeOf(page), errorHandler: fail, handler: html(page) })
    app.get(markdownPath(page.path), { ...routeOf(page), handler: handlerOf(page, markdown) })
  }
  for (const [from, to, part = ''] of moved)
    for (const at of [(path: string) => path, markdownPath])
      app.get(at(from), { onRequest: limit, config: { operation: 'board.moved' } }, (request, reply) =>
        reply.redirect(movedTo(request, at(to)) + part, 301),
      )
  for (const feed of feeds) app.get(feed.path, { ...routeOf(feed), handler: handlerOf(feed, atom) })
  app.get(sitemap.path, { ...routeOf(sitemap), handler: handlerOf(sitemap, xml) })
  app.get(robots.path, { ...routeOf(robots), handler: handlerOf(robots, text) })
  return { frontPage: { ...routeOf(home), handler: html(home) }, fail }
}

/** How what a definition makes is written. */
interface Form<Made> {
  as: string
  headers: Record<string, string>
  /** Whether addresses in it are absolute. */
  isAbsolute?: boolean
  render(made: Made, baseUrl: string): string
}

const markdown: Form<Page> = {
  as: 'markdown',
  headers: { 'content-type': 'text/markdown; charset=utf-8' },
  render: toMarkdown,
}

const atom: Form<AtomFeed> = {
  as: 'atom',
  headers: { 'content-type': 'application/atom+xml; charset=utf-8' },
  isAbsolute: true,
  render: toAtom,
}

const xml: Form<readonly string[]> = {
  as: 'sitemap',
  headers: { 'content-type': 'application/xml; charset=utf-8' },
  isAbsolute: true,
  render: toSitemap,
}

const text: Form<readonly string[]> = {
  as: 'robots',
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  isAbsolute: true,
  render: toRobots,
}

/** Where pages stood before. */
const moved: readonly (readonly [from: string, to: string, part?: string])[] = [
  ['/bounties', '/'],
  ['/payouts', '/payments'],
  ['/payouts/:id', '/payments/:id'],
  ['/status', '/how'],
  ['/review', '/desk'],
  ['/start', '/desk', '#new'],
  ['/desk/new', '/desk', '#new'],
]

/** The new address of a page that has moved, with the query as it came. */
function movedTo({ params, url }: FastifyRequest, path: string): string {
  const { id = '' } = params as { id?: string }
  const [, query] = url.split('?')
  return path.replace(/:id(\(.*\))?/, () => encodeURIComponent(id)) + (query === undefined ? '' : `?${query}`)
}

/** An id has no dot, so that one with `.md` is the Markdown of its page. */
function markdownPath(path: string): string {
  return path === '/' ? '/index.md' : `${path.replace(':id', ':id(^[^.]+)')}.md`
}

/** What all pages are made with. */
function contextOf({ operations, dependencies }: BoardOptions) {
  const { config, chain, db, recent } = dependencies.services
  const site: Site = {
    explorerUrl: config.CHAIN_EXPLORER_URL?.replace(/\/$/, '') ?? null,
    isEmbedded: !Object.values(missingParts(config)).includes(false),
    feeBps: config.PLATFORM_FEE_BPS,
    claimHours: hoursByDifficulty(config),
    pays: () =>
      fromChain((async () => config.PAYOUTS_ENABLED && !(await recent.isPaused(chain.require())))()),
    curve: (address) => fromChain((async () => shapeOf(chain.require().client, address as Address))()),
    async chainState() {
      await chain.refresh()
      return chain.state
    },
    rpcUrl: config.CHAIN_PUBLIC_RPC_URL ?? null,
    hasDollars: () => Boolean(chain.chain?.dollar),
    treasury: (wallet) =>
      fromChain((async () => treasuryOf(chain.require(), { platformWallet: wallet as Address }))()),
  }
  return {
    readFor: createReader(operations),
    namesFrom: createNames(lockHours(config)),
    db,
    site,
  }
}

function createHandlers(
  { dependencies }: BoardOptions,
  { readFor, namesFrom, db, site }: ReturnType<typeof contextOf>,
) {
  const { bulkheads, drain, services } = dependencies
  // Of their own, so that visitors push no responses of the API out.
  const cache = createResponseCache(services.config.REMEMBER_RESPONSES ? services.reads.snapshots : undefined)
  return <Made>(page: PageDefinition<Made>, { as, headers, isAbsolute, render }: Form<Made>): Handler => {
    const bulkhead = bulkheads.of({ id: operationOf(page), meta: page })
    return async (request, reply) => {
      const { id = '' } = request.params as { id?: string }
      const query = knownParameters(page, request)
      refuseNul({ id, ...query })
      const path = addressOf(
        page.path.replace(':id', () => encodeURIComponent(id)),
        query,
      )
      const { cacheable } = page
      // Identifiers have to be absolute also for a request with a strange Host.
      const baseUrl =
        isAbsolute || !cacheable ? baseUrlOf(request, services.config.PUBLIC_URL) || 'http://localhost' : ''
      const make = () =>
        bulkhead.serve(request, async () => {
          const signal = cacheable ? drain.closing : drain.signalOf(reply)
          const read = readFor(visitOf(request, services, { signal }))
          const names = namesFrom(services.reads)
          const made = await page.make({ read, names, db, site, id, path, query, baseUrl })
          return tagged({ status: 200, headers, body: render(made, baseUrl) })
        })
      const response = cacheable ? await cache.get(`${as} ${baseUrl}${path}`, { read: make }) : await make()
      return sendCompressed(request, reply, response)
    }
  }
}

const operationOf = <Made>({ name }: PageDefinition<Made>) => `board.${name}`

/** The parameters that the page has, each once, without those that a form sent empty. */
function knownParameters<Made>(
  { query = [] }: PageDefinition<Made>,
  request: FastifyRequest,
): Record<string, string> {
  const given = request.query as Record<string, string | string[]>
  const values = query.map((name) => [name, [given[name] ?? ''].flat().at(-1) ?? ''] as const)
  return Object.fromEntries(values.filter(([, value]) => value.trim() !== ''))
}
