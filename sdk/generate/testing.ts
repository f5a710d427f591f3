import type { Document } from '../../openapi/types.ts'
import { errorCatalog } from '../../server/errors.ts'
import { type Edge, edges } from '../../server/lifecycle/edges.ts'
import { agentRoles } from '../../server/lifecycle/roles.ts'
import { consequences } from '../../server/market/agents/tasks/consequences.ts'
import type { SdkOperation } from './document.ts'

/** What `memoryMarketplace` goes by: each operation with the document's example, the edges of the lifecycle, the errors. */
export function testingSource(document: Document, operations: SdkOperation[]): string {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const examples = new Map(
    all.map((operation) => {
      const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
      return [operation.operationId, success?.content?.['application/json']?.example]
    }),
  )
  const routes = operations.map(({ id, http, path, status, public: isPublic }) => {
    const route = `${http} ${path}`
    return [id, { route, status, isPublic, example: examples.get(id) }] as const
  })
  const moves = Object.entries<Edge>(edges).map(([name, edge]) => [name, edgeOf(edge)] as const)
  return `import type { ErrorCode } from './schema.ts'

/** Every operation of the service. */
export type OperationId = ${routes.map(([id]) => `'${id}'`).join(' | ')}

/** The route of each operation, its status where it succeeds, and the document's example of that. */
export const operations: Record<OperationId, { route: string; status: number; isPublic: boolean; example: unknown }> = ${table(routes)}

/** A way in which a bounty moves, by the codes of what is refused, in the order in which a request is checked. */
export interface Edge {
  bounty: [from: string[], to: string]
  submission?: [from: string | null, to: string]
  by: string
  unlessBy?: ErrorCode
  unlessFrom?: ErrorCode[]
  unless: ErrorCode[]
  records: string[]
}

/** Every {@link Edge} of the service. */
export const edges: Record<${moves.map(([name]) => `'${name}'`).join(' | ')}, Edge> = ${table(moves)}

/** Each error with its status, whether it is retryable, and its meaning. */
export const errors: Record<ErrorCode, { status: number; retryable: boolean; meaning: string }> = ${table(Object.entries(errorCatalog))}

/** What becomes of a task if nobody acts, by its action and the state of what it is about. */
export const consequences: Record<string, Record<string, string>> = ${table(Object.entries(consequences))}
`
}

function edgeOf({ bounty, submission, by, otherwise, if: conditions = [], ends, records = [] }: Edge) {
  const roles: Record<string, { code: string }> = agentRoles
  return {
    bounty,
    submission,
    by,
    unlessBy: roles[by]?.code,
    unlessFrom: otherwise?.codes,
    unless: conditions.map(({ code }) => code),
    // A claim ends by the edges that lead away from it; that of another agent's claim needs a clock.
    records: [...(ends && bounty[1] === 'open' ? [`claim.${ends}`] : []), ...records],
  }
}

/** An object with a line for each member. */
function table(members: (readonly [string, unknown])[]): string {
  return `{\n${members.map(([name, value]) => `  '${name}': ${JSON.stringify(value)},\n`).join('')}}`
}
