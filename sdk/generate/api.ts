import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { nameOf, resolve } from '../../openapi/references.ts'
import type { Document, Schema } from '../../openapi/types.ts'
import { type SdkOperation, usualErrors } from './document.ts'

interface Method {
  /** `bounties.claimNext` */
  id: string
  signature: string
  /** First sentence of its documentation. */
  text: string
}

/** The reference: a line for each method, those written by hand too, then the fields of each type, then the errors, each once. */
export function apiSource(
  document: Document,
  operations: SdkOperation[],
  schemas: Record<string, Schema>,
): string {
  const codes = new Map<number, Set<string>>()
  for (const { errors } of operations)
    for (const [status, own] of errors) codes.set(status, new Set([...(codes.get(status) ?? []), ...own]))
  const methods = readMethods().map(({ id, signature, text }) => {
    const operation = operations.find((one) => one.id === id)
    const own = [...(operation?.ownErrors.values() ?? [])].flat()
    const route = operation ? ` \`${operation.http} ${operation.path}\`` : ''
    return `* \`${id}${signature}\`<br>${text}${route}${own.length > 0 ? `; ${own.join(', ')}` : ''}`
  })
  const types = Object.entries(schemas).filter(([name, schema]) => isObject(schema) && isSpoken(name))
  return `<!-- Written by sdk/generate/generate.ts (npm run generate:sdk). Do not edit. -->

# Methods

${methods.join('\n')}

Every method can throw ${usualErrors(operations).join(', ')}.

# Types

${readOptions().join('\n')}
${types.map(([name, schema]) => `* ${name}: ${fieldsOf(document, schema)}`).join('\n')}

# Errors

${[...codes]
  .sort(([left], [right]) => left - right)
  .map(([status, own]) => `* ${status}: ${[...own].join(', ')}`)
  .join('\n')}
`

  function isSpoken(name: string): boolean {
    return (
      methods.some((line) => new RegExp(`\\b${name}\\b`).test(line)) ||
      !/(Response|Request|Query)$/.test(name)
    )
  }
}

/** `id, title, claim?: { … }`: objects that have a type of their own are named, others written out. */
function fieldsOf(document: Document, { properties = {}, required = [], allOf, anyOf }: Schema): string {
  if (anyOf) return `one of ${anyOf.map((one) => shapeOf(document, one)).join(', ')}`
  const parts = allOf?.map((one) => (one.$ref ? `all of ${nameOf(one.$ref)}` : fieldsOf(document, one)))
  const fields = Object.entries(properties).map(([name, field]) => {
    const shape = shapeOf(document, field)
    return `${name}${required.includes(name) ? '' : '?'}${shape && `: ${shape}`}`
  })
  return [...(parts ?? []), ...fields].join(', ')
}

function shapeOf(document: Document, field: Schema): string {
  const { anyOf, items, properties, $ref } = field
  if ($ref) return isObject(resolve(document, field)) ? nameOf($ref) : ''
  if (items) return `${shapeOf(document, items)}[]`
  if (properties) return `{ ${fieldsOf(document, field)} }`
  return anyOf?.map((one) => shapeOf(document, one)).find(Boolean) ?? ''
}

function isObject({ properties, allOf, anyOf }: Schema): boolean {
  return Boolean(properties ?? allOf ?? anyOf?.some(({ $ref }) => $ref))
}

/** A line for each type of an argument or result that is written by hand. */
function readOptions(): string[] {
  const files = [
    'bounties.ts',
    'events.ts',
    'core/options.ts',
    'core/retry.ts',
    'core/promise.ts',
    'perform.ts',
    'agent/run-agent.ts',
    'agent/store.ts',
    'git/account.ts',
    'git/deliver.ts',
  ]
  return files.map(read).flatMap(({ statements }) =>
    statements.filter(isPublicInterface).flatMap(({ name, members, heritageClauses }) => {
      const from = heritageClauses?.map(
        (clause) => `all of ${clause.types.map((type) => type.getText()).join(', ')}`,
      )
      const fields = members.flatMap(({ name: field, questionToken }) =>
        field ? `${field.getText()}${questionToken ? '?' : ''}` : [],
      )
      return `* ${name.text}: ${[...(from ?? []), ...fields].join(', ')}`
    }),
  )
}

function isPublicInterface(statement: ts.Statement): statement is ts.InterfaceDeclaration {
  const { ExportKeyword } = ts.SyntaxKind
  return (
    ts.isInterfaceDeclaration(statement) && !!statement.modifiers?.some(({ kind }) => kind === ExportKeyword)
  )
}

const folder = new URL('../src/', import.meta.url)

function read(name: string): ts.SourceFile {
  return ts.createSourceFile(name, readFileSync(new URL(name, folder), 'utf8'), ts.ScriptTarget.ES2022, true)
}

/** The public methods of a client, in the order of their names. */
function readMethods(): Method[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const methods = new Map<string, Method>()
  for (const { statements } of ['generated/resources.ts', ...names].map(read))
    for (const statement of statements)
      if (ts.isClassDeclaration(statement) && statement.name)
        for (const method of methodsOf(statement, statement.name.text)) methods.set(method.id, method)
  return [...methods.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

function methodsOf(declaration: ts.ClassDeclaration, className: string): Method[] {
  const resource = className.replace(/Resource$/, '').replace(/^./, (letter) => letter.toLowerCase())
  return declaration.members.filter(ts.isMethodDeclaration).flatMap((member) => {
    if (!ts.isIdentifier(member.name) || member.name.text === 'toJSON') return []
    const place = { marketplace: '', eventStream: 'stream.' }[resource] ?? `${resource}.`
    const parameters = member.parameters.map((parameter) => parameter.getText()).join(', ')
    const [first = ''] = ts
      .getJSDocCommentsAndTags(member)
      .map(({ comment }) => ts.getTextOfJSDocComment(comment))
    const [text = ''] = (first ?? '')
      .replace(/:\s*```[\s\S]*/, '.')
      .replace(/\s+/g, ' ')
      .split(/(?<=\.) /)
    const signature = `(${parameters}): ${member.type?.getText()}`.replace(/\s+/g, ' ')
    return [{ id: place + member.name.text, signature, text }]
  })
}
