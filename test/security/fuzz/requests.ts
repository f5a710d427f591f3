import fc from 'fast-check'
import { resolve } from '../../../openapi/references.ts'
import type { Document, Operation, Parameter, Schema } from '../../../openapi/types.ts'
import { encoded, hostileBody, hostileHeader, hostileSegment, hostileValue } from './hostile.ts'

/** A request as generated: `@bounty` and its like stand for things that exist when it is sent. */
export interface FuzzRequest {
  operationId: string
  method: string
  /** Segments may hold placeholders. */
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
  /** Whose key is sent, and whether a right one. */
  agent: number
  credential: 'right' | 'replaced' | 'none' | 'wrong'
  /** Chooses among the things that exist. */
  which: number
}

/** Placeholders that the sender replaces. */
export const placeholders = [
  '@agent',
  '@project',
  '@bounty',
  '@submission',
  '@pull',
  '@activity',
  '@comment',
  '@withdrawal',
  '@etag',
  '@recipient',
  '@webhook',
  '@receiver',
  '@cursor',
  '@head',
] as const

/** Requests derived from the document: as it describes them, a little off, or hostile. */
export function requestsOf(document: Document): fc.Arbitrary<FuzzRequest> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      weight: weights[operation.operationId] ?? 5,
      arbitrary: requestOf(document, path, method.toUpperCase(), operation),
    })),
  )
  return fc.oneof(...all)
}

/**
 * Some hash a key, which says little about how input is handled; a withdrawal seldom fits what its wallet has. Steps that
 * nearly always succeed undo what other operations need before they can succeed.
 */
const weights: Record<string, number> = {
  'agents.register': 1,
  'agents.rotateKey': 1,
  'withdrawals.create': 20,
  'bounties.claim': 10,
  'bounties.submit': 25,
  'bounties.approve': 8,
  'bounties.reject': 10,
  'bounties.requestChanges': 16,
  'submissions.retract': 8,
  'projects.setAllowance': 10,
  'comments.list': 2,
  'comments.create': 2,
  'comments.hide': 2,
  'bounties.release': 3,
  'bounties.cancel': 5,
  'bounties.update': 2,
}

const mostly = <Value>(usual: fc.Arbitrary<Value>, weight: number, rare: fc.Arbitrary<Value>) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })

function requestOf(
  document: Document,
  path: string,
  method: string,
  operation: Operation,
): fc.Arbitrary<FuzzRequest> {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(document, parameter))
  const schema = operation.requestBody?.content['application/json']?.schema
  const own = path.includes('/bounties/{id}')
    ? '@bounty'
    : path.includes('/submissions/{id}')
      ? '@submission'
      : path.includes('/withdrawals/{id}')
        ? '@withdrawal'
        : path.includes('/agents/{id}')
          ? '@agent'
          : path.includes('/webhooks/{id}')
            ? '@webhook'
            : '@project'
  const segment = mostly(
    fc.constant(own),
    6,
    mostly(fc.constantFrom('@bounty', '@project'), 1, hostileSegment),
  )
  return fc.record({
    operationId: fc.constant(operation.operationId),
    method: mostly(fc.constant(method), 20, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE')),
    path: fc
      .tuple(segment, queryOf(document, parameters))
      .map(
        ([id, query]) =>
          path.replace('{id}', id).replace('{event_id}', '@activity').replace('{comment_id}', '@comment') +
          query,
      ),
    headers: headersOf(method),
    body: method === 'GET' ? fc.constant(undefined) : bodyOf(document, schema),
    agent: fc.nat(1000),
    credential: mostly(
      fc.constant<FuzzRequest['credential']>('right'),
      12,
      fc.constantFrom('replaced', 'none', 'wrong'),
    ),
    which: fc.nat(1_000_000),
  })
}

function headersOf(method: string): fc.Arbitrary<Record<string, string>> {
  const optional = (usual: fc.Arbitrary<string>, weight: number) =>
    fc.option(mostly(usual, 8, hostileHeader), { freq: weight, nil: undefined })
  const strongKey = mostly(
    fc.uuid(),
    2,
    fc.nat(20).map((nth) => `shared-by-several-requests-${nth}`.padEnd(36, '-')),
  )
  return fc
    .record({
      'content-type':
        method === 'GET'
          ? fc.constant(undefined)
          : mostly(fc.constant('application/json'), 20, hostileHeader),
      'idempotency-key': method === 'GET' ? fc.constant(undefined) : optional(strongKey, 1),
      'if-none-match': method === 'GET' ? optional(fc.constant('@etag'), 1) : fc.constant(undefined),
      'x-request-id': optional(fc.uuid(), 1),
    })
    .map((headers) =>
      Object.fromEntries(
        Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
    )
}

function queryOf(document: Document, parameters: Parameter[]): fc.Arbitrary<string> {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const pairs = query.map(({ name = '', schema = {} }) =>
    fc.option(
      mostly(
        allowed(document, schema, name).map(String),
        6,
        hostileValue.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))),
      ).map((value) => `${name}=${value.startsWith('@') ? value : encoded(value)}`),
      { freq: 1, nil: '' },
    ),
  )
  const extra = mostly(
    fc.constant(''),
    15,
    fc.constantFrom('surprise=1', 'limit=1&limit=2', '__proto__=1', 'a[b]=c', '%ff', '=', '&&', 'q=%00'),
  )
  return fc.tuple(...pairs, extra).map((given) => {
    const text = given.filter((part) => part !== '').join('&')
    return text === '' ? '' : `?${text}`
  })
}

function bodyOf(document: Document, schema: Schema | undefined): fc.Arbitrary<string | Buffer | undefined> {
  if (!schema) return mostly<string | Buffer | undefined>(fc.constant(undefined), 8, hostileBody)
  const valid = allowed(document, schema) as fc.Arbitrary<Record<string, unknown>>
  const names = Object.keys(resolve(document, schema).properties ?? {})
  const mutated = fc
    .tuple(valid, fc.constantFrom(...names, 'surprise'), fc.option(hostileValue, { nil: undefined }))
    .map(([body, name, value]) => ({ ...body, [name]: value }))
  return fc.oneof(
    { weight: 8, arbitrary: valid.map((body) => JSON.stringify(body)) },
    { weight: 3, arbitrary: mutated.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: hostileBody },
  )
}

/** Values that a schema allows, near its limits and far from them. */
function allowed(document: Document, given: Schema, name = ''): fc.Arbitrary<unknown> {
  const schema = resolve(document, given)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((choice) => allowed(document, choice, name)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => allowed(document, { ...schema, type }, name)))
  if (schema.type === 'null') return fc.constant(null)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array')
    return fc.array(allowed(document, schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 3 })
  if (schema.type === 'object') return objectOf(document, schema)
  // Nobody claims by any other one until somebody has changed the bounty.
  if (name === 'revision') return mostly(fc.constant(1), 6, fc.integer({ min: 1, max: 5 }))
  if (schema.type === 'integer') {
    const { minimum: min = 0, maximum: max = Number.MAX_SAFE_INTEGER } = schema
    const small = fc.integer({ min, max: Math.min(max, 50) })
    return fc.oneof(
      { weight: 4, arbitrary: small },
      { weight: 1, arbitrary: fc.maxSafeInteger().map((value) => Math.min(Math.max(value, min), max)) },
    )
  }
  const known = {
    project_id: '@project',
    pr_url: '@pull',
    submission_id: '@submission',
    recipient_public_key: '@recipient',
    url: '@receiver',
    after: '@cursor',
    expected_head_sha: '@head',
  }[name]
  const text = schema.pattern
    ? fc.stringMatching(new RegExp(schema.pattern))
    : mostly(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
        15,
        fc.constant('é'.repeat(schema.maxLength ?? 6000)),
      )
  if (known) return mostly<unknown>(fc.constant(known), 4, text)
  // Random capitals are a wrong checksum, and most random amounts are more than anybody has.
  if (name === 'to')
    return mostly<unknown>(
      (text as fc.Arbitrary<string>).map((to) => to.toLowerCase()),
      4,
      text,
    )
  // Waiting tests nothing here, and most random lists are none of types.
  if (name === 'wait') return fc.constantFrom(0, 0, 0, 51)
  if (name === 'types') return mostly<unknown>(fc.constant('bounty.created,submission.created'), 4, text)
  if (name === 'amount') return mostly<unknown>(fc.constantFrom('1', '0.5', 'all', '150000000'), 4, text)
  return text
}

function objectOf(document: Document, { properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, allowed(document, schema, name)]),
  )
  return fc.record(fields, { requiredKeys: required })
}
