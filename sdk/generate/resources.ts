import { pascalCase } from '../../openapi/finish/names.ts'
import { docComment } from './doc-comment.ts'
import { type ListShape, type SdkOperation, usualErrors } from './document.ts'

/** A class per resource with a typed method per operation, and one that holds them all. */
export function resourcesSource(operations: SdkOperation[]): string {
  const resources = [...new Set(operations.map(({ resource }) => resource))]
  const classes = resources.map((resource) => {
    const own = operations.filter((operation) => operation.resource === resource)
    return `/** Operations on \`${resource}\`. */
export class ${pascalCase(resource)}Resource extends Resource {
${own.map(methodSource).join('\n')}}
`
  })
  const lists = new Set(operations.flatMap(({ list }) => (list ? [list.by] : [])))
  const walkers = [lists.has('next') && 'byNext', lists.has('offset') && 'byOffset'].filter(Boolean)
  return `import type { CallOptions${operations.some(({ conditional }) => conditional) ? ', ReadOptions' : ''} } from '../core/options.ts'
${walkers.length > 0 ? `import { ${walkers.join(', ')} } from '../core/paging.ts'\n` : ''}import type { ApiPromise } from '../core/promise.ts'
import { Resource } from '../core/resource.ts'
import type { Transport } from '../core/transport.ts'
import type {
${typesOf(operations)
  .map((name) => `  ${name},\n`)
  .join('')}} from './schema.ts'

${classes.join('\n')}
${docComment(usualDocumentation(operations))}export class Resources {
${resources.map((resource) => `  declare readonly ${resource}: ${pascalCase(resource)}Resource\n`).join('')}
  constructor(transport: Transport) {
${resources.map((resource) => `    this.${resource} = new ${pascalCase(resource)}Resource(transport, '${resource}')\n`).join('')}  }
}
`
}

/** How the method is called: \`bountyId: string, body: X, options?: CallOptions\`. */
export function signature({ ids, query, body, response, conditional }: SdkOperation): string {
  return [
    ...ids.map((id) => `${id}: string`),
    ...(query ? [`query?: ${query}`] : []),
    ...(body ? [`body${body.required ? '' : '?'}: ${body.type}`] : []),
    `options?: ${conditional ? `ReadOptions<${response}>` : 'CallOptions'}`,
  ].join(', ')
}

/** The name of the method that walks the list of `method`. */
export function iteratorName(method: string): string {
  return method === 'list' ? 'iterate' : `iterate${pascalCase(method)}`
}

const firstCalls = ['agents.me', 'agents.register', 'agents.tasks']

function methodSource(operation: SdkOperation): string {
  const { ids, query, body, response, method, list, http, path, timeoutMs, expects } = operation
  // A gateway's own 200 must not pass for what is acted upon: what is waited for long, and what an agent begins with.
  const isActedUpon = timeoutMs !== undefined || firstCalls.includes(operation.id)
  const input = [
    ...(ids.length > 0 ? [`path: { ${ids.join(', ')} }`] : []),
    ...(query ? ['query'] : []),
    ...(body ? ['body'] : []),
    ...(timeoutMs ? [`timeoutMs: ${timeoutMs}`] : []),
    ...(isActedUpon || operation.isPlain ? [`expects: '${expects}'`] : []),
  ]
  const call = `this.call('${method}', '${http} ${path}', ${input.length > 0 ? `{ ${input.join(', ')} }` : '{}'}, options)`
  const lines = `${docComment(documentation(operation), '  ')}  ${method}(${signature(operation)}): ApiPromise<${response}> {
    return ${call}
  }
`
  return list ? `${lines}\n${iteratorSource(operation, list)}` : lines
}

function iteratorSource(operation: SdkOperation, list: ListShape): string {
  const { resource, method, ids, parameters: names } = operation
  // The walk keeps its place by the order in which items were made.
  const query = names.some(({ name }) => name === 'sort')
    ? `Omit<${operation.query}, 'sort'>`
    : operation.query
  const walk = { offset: 'byOffset', next: 'byNext' }[list.by]
  const parameters = [...ids.map((id) => `${id}: string`), `query: ${query} = {}`, 'options?: CallOptions']
  const call = `this.${method}(${[...ids, '{ ...query, ...range }', 'options'].join(', ')})`
  const page =
    list.by === 'next'
      ? `(range) => ${call}, (page) => page.${list.key}`
      : `async (range) => (await ${call}).${list.key}`
  const text = `Every item of \`${resource}.${method}\`, in its order. Pages of \`limit\` items (default 100) are read as the items are consumed.\n\n${promise[list.by]}`
  return `${docComment(text, '  ')}  ${iteratorName(method)}(${parameters.join(', ')}): AsyncGenerator<${list.item}, void, undefined> {
    return ${walk}(query, ${page})
  }
`
}

/** What an iterator promises while the list changes. */
const promise = {
  offset:
    'The list may change meanwhile. An item that is in the list from the first page to the end is given exactly once, ' +
    'and no item is given twice. An item that enters the list is given if its place is behind the item given last, ' +
    'and missed if its place is in front. An item that leaves the list is given if its page was read before. Each ' +
    'item is given as it was when its page was read. Memory: one page, and the ids of items created in the same ' +
    'millisecond as the one given last.',
  next:
    'Each entry that exists when the first page is read is given exactly once. Entries added later are given if they ' +
    'belong behind the place of the walk. Memory: one page.',
}

export function documentation({
  summary,
  description,
  http,
  path,
  ownErrors,
  public: open,
}: SdkOperation): string {
  const thrown = [...ownErrors].map(([status, codes]) => `${status} ${inCode(codes)}`).join('; ')
  const access = open ? 'public' : 'needs an API key'
  const errors = thrown && `\n\nErrors of its own: ${thrown}.`
  return `${summary}. ${description}\n\n\`${http} ${path}\`, ${access}.${errors}`
}

/** What every method has in common. */
export function usualDocumentation(operations: SdkOperation[]): string {
  return `Every resource of the service. Any method may also throw ${inCode(usualErrors(operations))}.`
}

function inCode(codes: string[]): string {
  return codes.map((code) => `\`${code}\``).join(', ')
}

function typesOf(operations: SdkOperation[]): string[] {
  const names = operations.flatMap(({ query, body, response, list }) => [
    ...(query ? [query] : []),
    ...(body ? [body.type] : []),
    response,
    ...(list ? [list.item.split('[')[0] ?? ''] : []),
  ])
  return [...new Set(names)].sort()
}
