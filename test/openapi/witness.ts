import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createTruth, type Exchange, readDocument } from './truth.ts'

// Its schemas are compiled once for all files of a worker.
const truth = createTruth(readDocument())

/**
 * Compares every exchange of `server` with the document, whatever the client is.
 * @returns everything that the document does not describe so far, a line each
 */
export function witness(server: Server): () => string[] {
  const found = new Set<string>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const sent = spyOnRequest(request)
    const answered = spyOnResponse(response)
    response.once('finish', () => {
      const { method = '', url = '' } = request
      const { statusCode: status } = response
      const { headers, body } = answered()
      const exchange = { method, url, requestBody: sent(), status, headers, body }
      for (const violation of truth(exchange)) found.add(`${method} ${url} -> ${status}: ${violation}`)
    })
  })
  return () => [...found]
}

/** The body as its reader gets it. */
function spyOnRequest(request: IncomingMessage): () => string {
  const chunks: Buffer[] = []
  const push = request.push.bind(request)
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk) chunks.push(chunk)
    return push(chunk, encoding)
  }
  return () => Buffer.concat(chunks).toString()
}

/** Headers and body, however they are given to node. */
function spyOnResponse(response: ServerResponse): () => Pick<Exchange, 'headers' | 'body'> {
  const chunks: Buffer[] = []
  let written: Record<string, unknown> = {}
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const { writeHead, write, end } = response
  const spy = {
    writeHead(...rest: unknown[]) {
      written = { ...(rest.find((part) => typeof part === 'object') ?? {}) }
      return Reflect.apply(writeHead, response, rest)
    },
    write(...rest: unknown[]) {
      keep(rest[0])
      return Reflect.apply(write, response, rest)
    },
    end(...rest: unknown[]) {
      keep(rest[0])
      return Reflect.apply(end, response, rest)
    },
  }
  Object.assign(response, spy)
  return () => ({
    headers: { ...response.getHeaders(), ...written },
    body: Buffer.concat(chunks).toString(),
  })
}
