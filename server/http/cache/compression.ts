import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import accepted from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { publicCache, varyBy } from '../headers.ts'
import { etagOf, isNamed } from './etag.ts'

type Coding = 'br' | 'gzip'

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const compress: Record<Coding, (text: string) => Promise<Buffer>> = {
  br: (text) => promisify(brotliCompress)(text, quality),
  gzip: promisify(gzip),
}

/**
 * Serves a text that never changes, compressed if the client accepts that. Each form has its own strong ETag and is made
 * once, off the event loop, when the first client asks for it.
 */
export function compressedText(type: string, text: string) {
  const made = new Map<Coding, Promise<Buffer>>()
  const etag = etagOf(text)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const coding = accepted(request.headers['accept-encoding'] ?? '', ['br', 'gzip'] satisfies Coding[])
    const ownEtag = coding ? etag.replace(/"$/, `-${coding}"`) : etag
    varyBy(reply, 'accept-encoding')
    reply.headers({ 'content-type': type, 'cache-control': publicCache, etag: ownEtag })
    if (isNamed(request.headers['if-none-match'], ownEtag)) return reply.code(304).send()
    if (!coding) return reply.send(text)
    const compressed = made.get(coding) ?? compress[coding](text)
    made.set(coding, compressed)
    return reply.header('content-encoding', coding).send(await compressed)
  }
}
