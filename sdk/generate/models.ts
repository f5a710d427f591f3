import { nameOf, resolve } from '../../openapi/references.ts'
import type { Document, Schema } from '../../openapi/types.ts'
import type { SdkOperation } from './document.ts'

/** A type for every component schema and every query of the document. */
export function modelsSource(document: Document, operations: SdkOperation[]): string {
  const queries = operations.flatMap(({ id, query, parameters }): [string, Schema][] => {
    const properties = Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    )
    const required = parameters.filter((parameter) => parameter.required).map(({ name = '' }) => name)
    const description = `Query of \`${id}\`.`
    return query ? [[query, { type: 'object', description, properties, required }]] : []
  })
  const models = [...Object.entries(document.components.schemas), ...queries].map(
    ([name, schema]) =>
      `${docComment(schema.description ?? '')}export type ${name} = ${typeOf(document, schema)}\n`,
  )
  return `import type { Unlisted } from '../core/unlisted.ts'

type Narrowed<Whole, Own> = Omit<Whole, keyof Own> & Own

${models.join('\n')}`
}

/** A schema as a type. */
function typeOf(document: Document, schema: Schema, indent = ''): string {
  const { $ref, enum: values, const: value, not, anyOf, oneOf, allOf, type, items } = schema
  const inner = (part: Schema) => typeOf(document, part, indent)
  if ($ref !== undefined) return nameOf($ref)
  // "A string that is none of these" has no type in TypeScript. The marked string keeps the union discriminated.
  if (not) return 'Unlisted'
  if (value !== undefined) return literal(value)
  if (values) return values.map(literal).join(' | ')
  const choices = anyOf ?? oneOf
  if (choices) return choices.map(inner).join(' | ')
  if (allOf) return allOf.length > 1 ? `Narrowed<${allOf.map(inner).join(', ')}>` : allOf.map(inner).join('')
  if (Array.isArray(type)) return type.map((one) => inner({ ...schema, type: one })).join(' | ')
  if (type === 'array') return `(${inner(items ?? {})})[]`.replace(/^\((\w+)\)/, '$1')
  if (type === 'object') return objectOf(document, schema, indent)
  return (
    { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[type ?? ''] ??
    'unknown'
  )
}

function objectOf(
  document: Document,
  { properties = {}, required, additionalProperties }: Schema,
  indent: string,
): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const optional = required?.includes(name) ? '' : '?'
    return `${docComment(describe(document, field), inner)}${inner}${name}${optional}: ${typeOf(document, field, inner)}\n`
  })
  const isOpen = typeof additionalProperties === 'object'
  if (fields.length === 0) return isOpen ? '{ [key: string]: unknown }' : 'Record<string, never>'
  return `{\n${fields.join('')}${isOpen ? `${inner}[key: string]: unknown\n` : ''}${indent}}`
}

/** What a field says, or else what its type says, unless that is more than a kind of text or number. */
function describe(document: Document, field: Schema): string {
  const { description, enum: values, type } = resolve(document, field)
  const isPlain = !values && (type === 'string' || type === 'integer')
  return field.description ?? (isPlain ? description : undefined) ?? ''
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
}

/** A doc comment of `text`, wrapped, or nothing where there is none. */
export function docComment(text: string, indent = ''): string {
  if (text.trim() === '') return ''
  const lines = text
    .replaceAll('*/', '*\\/')
    .split('\n')
    .flatMap((line) => wrap(line, 110 - indent.length))
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} *${line ? ` ${line}` : ''}\n`).join('')}${indent} */\n`
}

function wrap(line: string, width: number): string[] {
  const lines = ['']
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last && last.length + word.length + 4 > width) lines.push(word)
    else lines[lines.length - 1] = last ? `${last} ${word}` : word
  }
  return lines
}
