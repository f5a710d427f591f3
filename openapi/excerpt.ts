import type { ErrorCode } from '../server/errors.ts'
import { errorsOf } from './references.ts'
import type { Document, Operation, Response } from './types.ts'

/**
 * The document of the operations of one tag, for models that cannot read the whole. It lacks examples, the headers of
 * responses and `X-Request-Id`, has one response for all errors of an operation, and describes the `data` of events only with
 * `events`.
 * @returns undefined if there is no such tag
 */
export function excerpt(document: Document, tag: string): Document | undefined {
  const tags = document.tags?.filter(({ name }) => name === tag) ?? []
  if (tags.length === 0) return undefined
  const paths = ofTag(document.paths, tag)
  const webhooks = ofTag(document.webhooks ?? {}, tag)
  const { components, ...rest } = structuredClone({ ...document, tags, paths, webhooks })
  const operations = [...operationsOf(rest.paths), ...operationsOf(rest.webhooks)]
  const codes: string[] = operations.flatMap((operation) => shorten(operation, document))
  for (const response of Object.values(components.responses ?? {})) delete response.headers
  components.responses = { ...components.responses, AnyError: anyError }
  const { Event: event, ErrorCode: code } = components.schemas
  if (event && tag !== 'events') {
    event.allOf = [{ $ref: '#/components/schemas/Entry' }]
    delete event.anyOf
  }
  if (code) {
    const all = code['x-extensible-enum'] ?? []
    code['x-extensible-enum'] = all.filter((value) => codes.includes(String(value)))
    const others = new RegExp(`\\n\\* \`(?!(${codes.join('|')})\`).*`, 'g')
    code.description = (code.description ?? '').replace(others, '')
  }
  const { webhooks: own, ...withoutWebhooks } = rest
  const lean = Object.keys(webhooks).length > 0 ? { ...withoutWebhooks, webhooks: own } : withoutWebhooks
  return { ...lean, components: usedBy(lean, components) }
}

const anyError: Response = {
  description: 'An error.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
}

const requestId = '#/components/parameters/RequestId'

/** Takes out of an operation what an excerpt lacks. @returns the codes of its errors */
function shorten(operation: Operation, document: Document): ErrorCode[] {
  const { responses, requestBody } = operation
  const errors = errorsOf(document, operation)
  const own = [...errors].filter(([status]) => status in responses)
  for (const [status] of own) delete responses[status]
  const particular = own.filter(([, codes]) => codes.join() !== 'rate_limited')
  if (particular.length > 0) {
    const list = particular.map(([status, codes]) => `${status} ${codes.join(', ')}`).join('; ')
    responses.default = {
      $ref: '#/components/responses/AnyError',
      description: `${list}; or what any request may meet.`,
    }
  }
  operation.parameters = operation.parameters?.filter(({ $ref }) => $ref !== requestId)
  for (const response of Object.values(responses)) delete response.headers
  for (const body of [requestBody, ...Object.values(responses)])
    for (const media of Object.values(body?.content ?? {})) delete media.example
  return [...errors.values()].flat()
}

function ofTag(paths: Document['paths'], tag: string): Document['paths'] {
  const entries = Object.entries(paths).map(([path, methods]) => {
    const own = Object.entries(methods).filter(([, { tags }]: [string, Operation]) => tags?.includes(tag))
    return [path, Object.fromEntries(own)] as const
  })
  return Object.fromEntries(entries.filter(([, methods]) => Object.keys(methods).length > 0))
}

function operationsOf(paths: Document['paths']): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods))
}

/** The components that `part` refers to, and those that these refer to. */
export function usedBy(part: unknown, { securitySchemes = {}, ...components }: Document['components']) {
  const used: Document['components'] = { schemas: {}, securitySchemes }
  const collect = (text: string) => {
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      const found = (components as Record<string, Record<string, object>>)[kind]?.[name]
      const own = (used as Record<string, Record<string, object>>)[kind]
      if (!found || own?.[name]) continue
      Object.assign(used, { [kind]: { ...own, [name]: found } })
      collect(JSON.stringify(found))
    }
  }
  collect(JSON.stringify(part))
  return used
}
