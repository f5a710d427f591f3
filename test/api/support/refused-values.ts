import { resolve } from '../../../openapi/references.ts'
import type { Method, Schema } from '../../../openapi/types.ts'
import type { Operation } from '../../../server/http/adapter/operations.ts'
import { idPrefixes } from '../../../server/ids.ts'
import { isAllowed, readDocument } from '../../openapi/truth.ts'
import { badAddresses, badTexts } from '../../support/values.ts'

const document = readDocument()

/** What clients send by mistake; the document allows some of it in some fields. */
const mistakes = [
  undefined,
  null,
  '',
  'xyz',
  'XYZ',
  'a b',
  'a/b',
  '-a',
  'xyz\n',
  'x'.repeat(201),
  '9'.repeat(31),
  '-1',
  '01',
  '1.',
  '1.5',
  '1e3',
  `0.${'1'.repeat(19)}`,
  0,
  -1,
  1.5,
  51,
  101,
  366,
  86_401,
  1e12 + 1,
  true,
  ['x', 'x'],
  [],
  {},
  ...badAddresses,
]

/** Ids of nothing: no list goes on behind one. */
const unknownIds = Object.values(idPrefixes).map((prefix) => prefix + '0'.repeat(20))

/** Fields of the operation with values that it must refuse, by what the document says of them. */
export function refusedValues({ method, path, meta }: Operation): [field: string, value: unknown][] {
  const { parameters = [], requestBody } = document.paths[path]?.[method.toLowerCase() as Method] ?? {}
  const query = parameters
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in === 'query')
  const given = requestBody?.content['application/json']?.schema
  const { properties = {}, required = [] } = given ? resolve(document, given) : {}
  return [
    ...query.flatMap(({ name = '', schema = {} }) =>
      refusedInQuery(
        name,
        resolve(document, schema),
        name === 'project_id' && meta.errors.includes('project_not_found'),
      ).map((value) => [name, value] as [string, unknown]),
    ),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      refusedBy(schema)
        .filter((value) =>
          value === null
            ? !isAllowed(document, schema, null)
            : value !== undefined || required.includes(name),
        )
        .map((value) => [name, value] as [string, unknown]),
    ),
  ]
}

/** In a body. */
function refusedBy(schema: Schema): unknown[] {
  const isInteger = [schema.type].flat().includes('integer')
  return [
    ...mistakes.filter((value) => value === undefined || !isAllowed(document, schema, value)),
    ...textsBeyond(schema),
    ...(isInteger ? [2 ** 53] : []),
  ]
}

/** In a query, where everything is text and an array is a field that is sent twice. */
function refusedInQuery(name: string, schema: Schema, mustExist: boolean): unknown[] {
  const typed = (text: string) => (schema.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text)
  const isId = schema.pattern === undefined && /^after$|_id$/.test(name) && !mustExist
  return [
    ...mistakes
      .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
      .map(String)
      .filter((text) => !isAllowed(document, schema, typed(text))),
    ...textsBeyond(schema).filter((text) => typeof text === 'string' && !text.includes('\ud800')),
    ...(isId ? ['', 'xyz', ...(name === 'after' ? unknownIds : ['x_00000000000000000000'])] : []),
    ['1', '2'],
  ]
}

/** Texts that show nothing or are too long, and choices in another letter case. */
function textsBeyond({ enum: choices = [], pattern, minLength, maxLength = 0 }: Schema): unknown[] {
  const isText = pattern === undefined && minLength === 1
  return isText ? badTexts(maxLength) : choices.map((choice) => String(choice).toUpperCase())
}
