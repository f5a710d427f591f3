import type { FastifyReply, FastifyRequest } from 'fastify'

const defaultSize = 30
const largestSize = 100

/** Cuts the requested page from a list, and links to the next one as GitHub does. */
export function cutPage<T>(all: T[], request: FastifyRequest, reply: FastifyReply): T[] {
  const query = request.query as Record<string, string | undefined>
  const size = Math.min(wholeNumber(query.per_page) ?? defaultSize, largestSize)
  const page = wholeNumber(query.page) ?? 1
  if (page * size < all.length) {
    const next = new URL(`http://${request.headers.host}${request.originalUrl}`)
    next.searchParams.set('page', String(page + 1))
    reply.header('link', `<${next}>; rel="next"`)
  }
  return all.slice((page - 1) * size, page * size)
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
