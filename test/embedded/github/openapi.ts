import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type AnySchema } from 'ajv'
import addFormats from 'ajv-formats'
import type { Json, names, Part } from './extract.ts'
import { readFields } from './read-fields.ts'

/** Refusals that GitHub's guides tell of and its description omits; 401 it omits for every call. */
const omitted = new Set([
  'post /repos/{owner}/{repo}/check-runs 403',
  'post /repos/{owner}/{repo}/statuses/{sha} 403',
])

/** The extract of GitHub's own descriptions that `description.long.test.ts` compares with the whole ones and writes. */
export const extractPath = join(import.meta.dirname, 'descriptions.jsonl')

/**
 * GitHub's own description of its REST interface, as far as tests compare with it. Of a response it says what each field is
 * that is there; which have to be there is said by `readFields`.
 */
export function loadDescription(name: (typeof names)[number]) {
  const document: Json = {}
  for (const line of readFileSync(extractPath, 'utf8').trim().split('\n')) {
    const [of, pointer, part] = JSON.parse(line) as Part
    if (of.includes(name)) place(document, pointer, part)
  }
  const schemas = (document.components as { schemas: Record<string, Json> }).schemas
  for (const [name, schema] of Object.entries(schemas)) requireNothing(schema, !name.includes('error'))
  for (const [name, fields] of Object.entries(readFields))
    for (const field of fields) requireField(schemas, schemas[name] as Json, field.split('.'))
  allowEither(document)
  allowNull(document)
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addFormat('repo.nwo', /^[^/]+\/[^/]+$/)
  ajv.addSchema(document, 'github')

  /** Every way in which the value is not what the schema at that pointer says. */
  function problems(pointer: string[], value: unknown): string[] {
    const escaped = pointer.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = ajv.compile({ $ref: `github#/${escaped.join('/')}` } as AnySchema)
    validate(value)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  /** The operation whose path template matches; `path` has no query. */
  function findOperation(method: string, path: string): string[] {
    const template = Object.keys(document.paths as Json).find((candidate) => {
      const expression = candidate.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')
      return (
        new RegExp(`^${expression}$`).test(path) &&
        method.toLowerCase() in ((document.paths as Json)[candidate] as Json)
      )
    })
    if (!template) throw new Error(`extract.ts has no ${method} ${path} of GitHub's`)
    return ['paths', template, method.toLowerCase()]
  }

  function at(pointer: string[]): unknown {
    return pointer.reduce<unknown>((node, key) => (node as Json | undefined)?.[key], document)
  }

  return {
    /** One of the bodies in the description. */
    example: (name: string): unknown => at(['components', 'examples', name, 'value']),
    /** Also refuses fields GitHub does not know. */
    requestProblems(method: string, path: string, body: unknown): string[] {
      const pointer = [...findOperation(method, path), 'requestBody', 'content', 'application/json', 'schema']
      const known = Object.keys((at([...pointer, 'properties']) ?? {}) as Json)
      const unknown = Object.keys((body ?? {}) as Json).filter((key) => !known.includes(key))
      return [...problems(pointer, body), ...unknown.map((key) => `/${key} is not a field of GitHub's`)]
    },
    responseProblems(method: string, path: string, status: number, body: unknown): string[] {
      const [, template, verb] = findOperation(method, path)
      const response = ['paths', template, verb, 'responses', String(status)] as string[]
      const found = at(response) as { $ref?: string; content?: Json } | undefined
      const isOmitted = status === 401 || omitted.has(`${verb} ${template} ${status}`)
      if (!found && !isOmitted) return [`no ${status} ${method} ${path}`]
      if (status === 204) return body === undefined ? [] : ['a body']
      // It describes no body of some errors, such as the conflict of a merge.
      if (!found || (!found.$ref && !found.content))
        return problems(['components', 'schemas', 'basic-error'], body)
      const target = found.$ref?.slice(2).split('/') ?? response
      return problems([...target, 'content', 'application/json', 'schema'], body)
    },
  }
}

function place(document: Json, [key = '', ...rest]: string[], part: unknown): void {
  document[key] = rest.length === 0 ? part : (document[key] ?? {})
  if (rest.length > 0) place(document[key] as Json, rest, part)
}

/** Every field may be missing. With `isClosed`, none may be there that the schema does not have. */
function requireNothing(node: unknown, isClosed: boolean): void {
  if (typeof node !== 'object' || node === null) return
  const schema = node as Json
  if (Array.isArray(schema.required)) delete schema.required
  if (isClosed && schema.type === 'object' && schema.properties) schema.additionalProperties ??= false
  for (const child of Object.values(schema)) requireNothing(child, isClosed)
}

function requireField(schemas: Record<string, Json>, schema: Json, [name = '', ...rest]: string[]): void {
  const [, referred] = /([^/]+)$/.exec(String(schema.$ref ?? '')) ?? []
  const target = referred === undefined ? schema : (schemas[referred] as Json)
  target.required = [...new Set([...((target.required as string[]) ?? []), name])]
  if (rest.length > 0) requireField(schemas, (target.properties as Json)[name] as Json, rest)
}

/** Without required fields a body matches several schemas, so "one of" fails. */
function allowEither(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  const schema = node as Json
  if (Array.isArray(schema.oneOf)) {
    schema.anyOf = schema.oneOf
    delete schema.oneOf
  }
  for (const child of Object.values(schema)) allowEither(child)
}

/** Ajv knows "nullable" only beside "type" and with `null` in "enum"; the description has it elsewhere too. */
function allowNull(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  for (const child of Object.values(node)) allowNull(child)
  const schema = node as Json
  if (schema.nullable === true && Array.isArray(schema.enum)) schema.enum.push(null)
  if (schema.nullable !== true || 'type' in schema || !('anyOf' in schema || 'oneOf' in schema)) return
  const { nullable: _, ...rest } = schema
  for (const key of Object.keys(schema)) delete schema[key]
  schema.anyOf = [rest, { type: 'null' }]
}
