import { codesOf } from './references.ts'
import type { Document, Operation, Response } from './types.ts'

/**
 * The document of the operations of one tag, for models that cannot read the whole. It lacks examples and the headers of
 * responses, has one response for the errors that operations usually have, and describes the `data` of events only with `events`.
 * @returns undefined if there is no such tag
 */
export function excerpt(document: Document, tag: string): Document | undefined {
  const tags = document.tags?.filter(({ name }) => name === tag) ?? []
  if (tags.length === 0) return undefined
  const usual = usualErrors(document)
  const paths = ofTag(document.paths, tag)
  const webhooks = ofTag(document.webhooks ?? {}, tag)
  const codes: string[] = operationsOf(paths).flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) => codesOf(document, response)),
  )
  const { components, ...rest } = structuredClone({ ...document, tags, paths, webhooks })
  for (const operation of [...operationsOf(rest.paths), ...operationsOf(rest.webhooks)])
    shorten(operation, usual)
  for (const response of Object.values(components.responses ?? {})) delete response.headers
  components.responses = { ...components.responses, UsualError: usualError }
  const { Event: event, ErrorCode: code } = components.schemas
  if (event && tag !== 'events') {
    event.allOf = [{ $ref: '#/components/schemas/Entry' }]
    delete event.anyOf
  }
  if (code) {
    code.enum = (code.enum ?? []).filter((value) => codes.includes(String(value)))
    const others = new RegExp(`\\n\\* \`(?!(${codes.join('|')})\`).*`, 'g')
    code.description = (code.description ?? '').replace(others, '')
  }
  const { webhooks: own, ...withoutWebhooks } = rest
  const lean = Object.keys(webhooks).length > 0 ? { ...withoutWebhooks, webhooks: own } : withoutWebhooks
  return { ...lean, components: usedBy(lean, components) }
}

const usualError: Response = {
  description: 'An error that operations usually have.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
}

/** References to the errors of at least a third of all operations. */
function usualErrors({ paths }: Document): Set<string> {
  const operations = operationsOf(paths)
  const uses = operations.flatMap(({ responses }) => Object.values(responses).map(({ $ref = '' }) => $ref))
  const count = (ref: string) => uses.filter((other) => other === ref).length
  return new Set(uses.filter((ref) => ref && count(ref) >= operations.length / 3))
}

/** Takes out of an operation what an excerpt lacks. */
function shorten({ responses, requestBody }: Operation, usual: Set<string>): void {
  for (const [status, response] of Object.entries(responses)) {
    delete response.headers
    if (Number(status) < 400 || !usual.has(response.$ref ?? '')) continue
    delete responses[status]
    responses.default = { $ref: '#/components/responses/UsualError' }
  }
  for (const body of [requestBody, ...Object.values(responses)])
    for (const media of Object.values(body?.content ?? {})) delete media.example
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
