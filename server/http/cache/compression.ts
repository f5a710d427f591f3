import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import accepted from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { publicCache, varyBy } from '../headers.ts'
import { etagOf, isNamed, type TaggedResponse } from './etag.ts'

type Coding = 'br' | 'gzip'

const brotli = (quality: number) => (text: string) =>
  promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
/** For texts that never change, and for others. */
const once: Record<Coding, (text: string) => Promise<Buffer>> = { br: brotli(9), gzip: promisify(gzip) }
const each: typeof once = { br: brotli(1), gzip: (text) => promisify(gzip)(text, { level: 1 }) }

/** The bytes of responses that are sent more than once. */
const made = new WeakMap<TaggedResponse, Map<Coding, Promise<Buffer>>>()

/**
 * Serves a text that never changes, compressed if the client accepts that. Each form has its own strong ETag and is made
 * once, off the event loop, when the first client asks for it.
 */
export function compressedText(type: string, text: string, cacheControl: string = publicCache) {
  const headers = { 'content-type': type, 'cache-control': cacheControl }
  const response = { status: 200, headers, body: text, etag: etagOf(text) }
  return (request: FastifyRequest, reply: FastifyReply) => send(request, reply, response, once)
}

/** Sends a response, compressed if the client accepts that. A response from a cache is compressed once. */
export function sendCompressed(request: FastifyRequest, reply: FastifyReply, response: TaggedResponse) {
  return send(request, reply, response, each)
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: TaggedResponse,
  compress: typeof once,
): Promise<FastifyReply> {
  const { headers, body, etag } = response
  const coding = accepted(request.headers['accept-encoding'] ?? '', ['br', 'gzip'] satisfies Coding[])
  const ownEtag = coding ? etag.replace(/"$/, `-${coding}"`) : etag
  varyBy(reply, 'accept-encoding')
  reply.headers({ ...headers, etag: ownEtag })
  if (isNamed(request.headers['if-none-match'], ownEtag)) return reply.code(304).send()
  if (!coding) return reply.send(body)
  const codings = made.get(response) ?? new Map<Coding, Promise<Buffer>>()
  made.set(response, codings)
  const compressed = codings.get(coding) ?? compress[coding](body)
  codings.set(coding, compressed)
  return reply.header('content-encoding', coding).send(await compressed)
}
