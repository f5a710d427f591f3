import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Frame } from '#board/html'
import { assetPath } from '../config/asset-path.ts'
import { compressedText } from '../http/cache/compression.ts'
import type { Limit } from '../http/limits/rate-limits.ts'

/** The files that pages load, their media types, and what they are put together from. */
const files = {
  style: [
    'board.css',
    'text/css; charset=utf-8',
    ['styles/base.css', 'styles/blocks.css', 'styles/forms.css'],
  ],
  script: ['board.js', 'text/javascript; charset=utf-8', ['generated/board.js']],
  desks: ['desks.js', 'text/javascript; charset=utf-8', ['generated/desks.js']],
  icon: ['icon.svg', 'image/svg+xml', ['icon.svg']],
} as const

/** Addresses hold a digest of the content, so that browsers need not ask again. */
const forGood = 'public, max-age=31536000, immutable'

/** Serves the files that pages load. Returns their addresses. */
export async function serveAssets(
  app: FastifyInstance,
  limit: Limit,
): Promise<Pick<Frame, keyof typeof files>> {
  const addresses = Object.entries(files).map(async ([name, [file, type, parts]]) => {
    const texts = await Promise.all(parts.map((part) => readFile(assetPath(`server/board/${part}`), 'utf8')))
    const [path, text] = [`/board/${file}`, texts.join('')]
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
    const [lasting, usual] = [compressedText(type, text, forGood), compressedText(type, text)]
    // While servers are being replaced, a page of one may ask another for a file that is not its own.
    app.get<{ Querystring: { v?: unknown } }>(path, { onRequest: limit }, (request, reply) =>
      (request.query.v === digest ? lasting : usual)(request, reply),
    )
    return [name, `${path}?v=${digest}`]
  })
  return Object.fromEntries(await Promise.all(addresses))
}
