import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Frame } from '#board/html'
import { assetPath } from '../config/asset-path.ts'
import { compressedText } from '../http/cache/compression.ts'
import { lastingCache } from '../http/headers.ts'
import type { Limit } from '../http/limits/rate-limits.ts'

/** The files that pages load, their media types, and what they are put together from. */
const files = {
  style: [
    'board.css',
    'text/css; charset=utf-8',
    ['styles/base.css', 'styles/blocks.css', 'styles/lists.css', 'styles/forms.css'],
  ],
  script: ['board.js', 'text/javascript; charset=utf-8', ['generated/board.js']],
  desk: ['desk.js', 'text/javascript; charset=utf-8', ['generated/desk.js']],
  icon: ['icon.svg', 'image/svg+xml', ['icon.svg']],
} as const

/** Serves the files that pages load. Returns their addresses. */
export async function serveAssets(
  app: FastifyInstance,
  limit: Limit,
): Promise<Pick<Frame, keyof typeof files>> {
  const addresses = Object.entries(files).map(async ([name, [file, type, parts]]) => {
    const texts = await Promise.all(parts.map((part) => readFile(assetPath(`server/board/${part}`), 'utf8')))
    const path = `/board/${file}`
    const text = texts.join('')
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
    const lasting = compressedText(type, text, lastingCache)
    const usual = compressedText(type, text)
    // While servers are being replaced, a page of one may ask another for a file that is not its own.
    app.get<{ Querystring: { v?: unknown } }>(path, { onRequest: limit }, (request, reply) =>
      (request.query.v === digest ? lasting : usual)(request, reply),
    )
    return [name, `${path}?v=${digest}`]
  })
  return Object.fromEntries(await Promise.all(addresses))
}

/** Serves the picture that other sites show of a link, and the icon at the address where browsers look for it. */
export async function servePictures(app: FastifyInstance, limit: Limit): Promise<void> {
  const files = [
    ['/board/home.png', 'home.png', 'image/png'],
    ['/favicon.ico', 'favicon.ico', 'image/x-icon'],
  ] as const
  for (const [path, file, type] of files) {
    const bytes = await readFile(assetPath(`server/board/pictures/${file}`))
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=86400' }
    app.get(path, { onRequest: limit }, async (_request, reply) => reply.headers(headers).send(bytes))
  }
}
