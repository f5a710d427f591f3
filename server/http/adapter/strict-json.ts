import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../errors.ts'

const deepest = 32

/**
 * Accepts only `application/json` bodies. An absent body reads as `undefined`. Everything that two parsers could read
 * differently is refused: invalid UTF-8, duplicate keys, `__proto__`, anything that is not an object.
 */
export function acceptStrictJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const encoding = request.headers['content-encoding']
    if (encoding && encoding !== 'identity')
      return done(new ServiceError('unsupported_media_type', 'The request body must not be compressed.'))
    if (bytes.length === 0) return done(null, undefined)
    let text: string
    try {
      text = utf8.decode(bytes)
    } catch (cause) {
      return done(new ServiceError('invalid_json', 'The request body is not valid UTF-8.', { cause }))
    }
    parse(request, text, (error, value) => {
      if (error) return done(error)
      const problem = problemOf(text, value)
      return problem ? done(new ServiceError('invalid_json', problem)) : done(null, value)
    })
  })
}

function problemOf(text: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The request body must be a JSON object.'
  const { depth, members } = measure(text)
  if (depth > deepest) return `The request body is nested deeper than ${deepest} levels.`
  return members === countMembers(value) ? undefined : 'The request body has a duplicate key.'
}

/** Depth and number of object members of valid JSON. */
function measure(text: string): { depth: number; members: number } {
  let depth = 0
  let open = 0
  let members = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === ':') members++
    else if (character === '{' || character === '[') depth = Math.max(depth, ++open)
    else if (character === '}' || character === ']') open--
  }
  return { depth, members }
}

/** Number of object members in a parsed value, whose depth is bounded. */
function countMembers(value: object): number {
  const items: unknown[] = Object.values(value)
  let members = Array.isArray(value) ? 0 : items.length
  for (const item of items) if (typeof item === 'object' && item !== null) members += countMembers(item)
  return members
}
