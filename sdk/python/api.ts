import { pascalCase } from '../../openapi/finish/names.ts'
import { whole } from '../../openapi/fits.ts'
import { nameOf } from '../../openapi/references.ts'
import type { Document, Json, Schema } from '../../openapi/types.ts'
import type { SdkOperation } from '../generate/document.ts'
import { documentation, iteratorName, usualDocumentation } from '../generate/resources.ts'

const keywords = new Set('and as assert async await break class continue def del elif else except'.split(' '))
for (const word of 'finally for from global if import in is lambda not or pass raise return try while with yield'.split(
  ' ',
))
  keywords.add(word)

/** `api.py`: a type for each schema of the document, and a class per resource with a method per operation. */
export function apiSource(document: Document, operations: SdkOperation[]): string {
  const types = new PythonTypes(document)
  for (const [name, schema] of Object.entries(document.components.schemas)) types.define(name, schema)
  const resources = [...new Set(operations.map(({ resource }) => resource))]
  const classes = resources.map((resource) => {
    const own = operations.filter((operation) => operation.resource === resource)
    return `class ${pascalCase(resource)}Resource:
    """Operations on \`\`${resource}\`\`."""

    def __init__(self, client: Client) -> None:
        self._client = client

${own.map((operation) => methods(operation, types)).join('\n')}`
  })
  return `# Generated from the OpenAPI document when the package is made.
from typing import Any, Dict, Iterator, List, Literal, Optional, TypedDict, Union

from .client import Client, by_next, by_offset, path_of

${types.source()}

${classes.join('\n\n')}

class Resources:
${docString(usualDocumentation(operations), '    ')}
    def __init__(self, client: Client) -> None:
        self._client = client
        self.base_url = client.base_url
${resources.map((resource) => `        self.${resource} = ${pascalCase(resource)}Resource(client)\n`).join('')}
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"
`
}

/** The types of schemas; objects inside of others get names of their own. */
class PythonTypes {
  readonly #document: Document
  readonly #definitions = new Map<string, string>()

  constructor(document: Document) {
    this.#document = document
  }

  source(): string {
    return [...this.#definitions.values()].join('\n\n')
  }

  define(name: string, schema: Schema): void {
    if (this.#definitions.has(name)) throw new Error(`two types are called ${name}`)
    const flat = whole({ document: this.#document, schema })
    this.#definitions.set(name, '')
    const source = flat.properties
      ? this.#typedDict(name, flat)
      : `${name} = ${this.of(flat, name)}\n${docString(flat.description ?? '', '')}`
    this.#definitions.set(name, source)
  }

  /** The type of a value. @param name of the type that an object inside gets */
  of(schema: Schema, name: string): string {
    if (schema.$ref) return `"${nameOf(schema.$ref)}"`
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return union(choices.map((choice, at) => this.of(choice, `${name}${at || ''}`)))
    if (Array.isArray(schema.type))
      return union(schema.type.map((type) => this.of({ ...schema, type }, name)))
    if (schema.type === 'null') return 'None'
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
    const open = schema['x-extensible-enum']
    if (open) return `Union[Literal[${open.map(literal).join(', ')}], str]`
    if (schema.items) return `List[${this.of(schema.items, `${name}Item`)}]`
    if (schema.properties && Object.keys(schema.properties).length > 0) {
      this.define(name, schema)
      return `"${name}"`
    }
    return scalars[schema.type ?? ''] ?? 'Any'
  }

  /** Fields that may be absent need a class of their own: `NotRequired` is newer than Python 3.9. */
  #typedDict(name: string, { properties = {}, required = [], description = '' }: Schema): string {
    const fields = Object.entries(properties)
    const always = fields.filter(([field]) => required.includes(field))
    const sometimes = fields.filter(([field]) => !required.includes(field))
    if (sometimes.length === 0) return this.#dict(name, name, 'TypedDict', always, description)
    const base = always.length > 0 ? `_${name}` : 'TypedDict'
    const own = this.#dict(name, name, `${base}, total=False`, sometimes, description)
    return always.length > 0 ? `${this.#dict(base, name, 'TypedDict', always, '')}\n\n${own}` : own
  }

  #dict(
    name: string,
    prefix: string,
    bases: string,
    fields: [string, Schema][],
    description: string,
  ): string {
    const typed = fields.map(([field, schema]) => ({
      field,
      type: this.of(schema, `${prefix}${pascalCase(field)}`),
      note: docString(schema.description ?? '', '    '),
    }))
    // A class cannot have a field such as `as`.
    if (typed.some(({ field }) => keywords.has(field)))
      return `${name} = TypedDict("${name}", {${typed.map(({ field, type }) => `"${field}": ${type}`).join(', ')}})\n`
    const lines = typed.map(({ field, type, note }) => `    ${field}: ${type}\n${note}`)
    return `class ${name}(${bases}):\n${docString(description, '    ')}${lines.join('') || '    pass\n'}`
  }
}

const scalars: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'Dict[str, Any]',
}

function union(types: string[]): string {
  const different = [...new Set(types)]
  return different.length === 1 ? (different[0] ?? '') : `Union[${different.join(', ')}]`
}

function literal(value: Json): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}

function methods(operation: SdkOperation, types: PythonTypes): string {
  const { ids, query, body, response, method, list, http, path, timeoutMs, expects } = operation
  const parameters = operation.parameters.map(({ name = '', schema = {} }) => ({
    name,
    type: types.of(schema, pascalCase(`${operation.id}.${name}`)),
  }))
  const given = [
    'self',
    ...ids.map((id) => `${snakeCase(id)}: str`),
    ...(body ? [`body: ${body.required ? `"${body.type}"` : `Optional["${body.type}"] = None`}`] : []),
    '*',
    ...parameters.map(({ name, type }) => `${name}: Optional[${type}] = None`),
    ...(http === 'GET' ? [] : ['idempotency_key: Optional[str] = None']),
    'timeout: Optional[float] = None',
  ]
  const sent = [
    `"${http}"`,
    `path_of(${[`"${path.replace(/\{\w+\}/g, '{}')}"`, ...ids.map(snakeCase)].join(', ')})`,
    ...(query ? [`query={${parameters.map(({ name }) => `"${name}": ${name}`).join(', ')}}`] : []),
    ...(body ? ['body=body'] : []),
    ...(http === 'GET' ? [] : ['idempotency_key=idempotency_key']),
    'timeout=timeout',
    ...(timeoutMs ? [`usual_timeout=${timeoutMs / 1000}`] : []),
    ...(expects ? [`expects="${expects}"`] : []),
  ]
  const source = `    def ${snakeCase(method)}(${given.join(', ')}) -> "${response}":
${docString(documentation(operation), '        ')}        return self._client.request(${sent.join(', ')})
`
  return list ? `${source}\n${iterator(operation, parameters)}` : source
}

function iterator(operation: SdkOperation, parameters: { name: string; type: string }[]): string {
  const { ids, method, list } = operation
  if (!list) return ''
  // The walk keeps its place by the order in which items were made, in pages of its own.
  const place = list.by === 'offset' ? 'offset' : 'after'
  const kept = parameters.filter(({ name }) => !['limit', 'sort', 'offset', 'wait'].includes(name))
  const passed = kept.filter(({ name }) => name !== place)
  const call = [...ids.map(snakeCase), ...passed.map(({ name }) => `${name}=${name}`), '**page'].join(', ')
  const read = `lambda page: self.${snakeCase(method)}(${call})`
  const walk =
    list.by === 'offset' ? `by_offset(${read}, "${list.key}")` : `by_next(after, ${read}, "${list.key}")`
  const item = list.item.includes('[') ? 'Any' : `"${list.item}"`
  const given = ['self', ...ids.map((id) => `${snakeCase(id)}: str`), ...(kept.length > 0 ? ['*'] : [])]
  return `    def ${snakeCase(iteratorName(method))}(${[...given, ...kept.map(({ name, type }) => `${name}: Optional[${type}] = None`)].join(', ')}) -> Iterator[${item}]:
        """Every item of \`\`${method}\`\`, in its order; pages are read as items are consumed."""
        return ${walk}
`
}

/** `requestChanges` as `request_changes`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function docString(text: string, indent: string): string {
  if (text.trim() === '') return ''
  const lines = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").split('\n')
  return `${indent}"""${lines.map((line, at) => (at > 0 && line ? indent + line : line)).join('\n')}${text.endsWith('"') ? ' ' : ''}"""\n`
}
