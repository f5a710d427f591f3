import { apiDiff, breaking } from 'api-smart-diff'
import { withoutNewNulls, withoutWords } from './comparable.ts'
import type { Document } from './types.ts'
import { withoutUnions } from './unions.ts'

/**
 * What a client written for `before` may stumble over in `after`, a line each. A new error code is none: clients are
 * told to expect codes they do not know.
 */
export function breakingChanges(before: Document, after: Document): string[] {
  const changes = apiDiff(comparable(before), comparable(withoutNewNulls(before, after)))
    // Components count where they are used.
    .filter(({ type, path }) => type === breaking && path[0] === 'paths' && !path.includes('error'))
    .map(({ action, path, description }) => description ?? `[${action}] ${path.join('.')}`)
  return [...new Set([...changes, ...removedRequestFields(before, after)])].sort()
}

function comparable(document: Document): Document {
  return withoutUnions(withoutWords(document))
}

/** Unknown fields are refused, so taking one away breaks whoever sends it; the library thinks of open schemas. */
function removedRequestFields(before: Document, after: Document): string[] {
  return Object.entries(before.components.schemas).flatMap(([name, schema]) => {
    const now = after.components.schemas[name]
    if (!name.endsWith('Request') || !now) return []
    const removed = Object.keys(schema.properties ?? {}).filter((field) => !now.properties?.[field])
    return removed.map((field) => `[Removed] field \`${field}\` of ${name}`)
  })
}

/** Whether `after` says by its version that it may break clients: a new major one, or a new minor one below 1. */
export function declaresBreaking(before: string, after: string): boolean {
  const [oldMajor = 0, oldMinor = 0] = before.split('.').map(Number)
  const [major = 0, minor = 0] = after.split('.').map(Number)
  return major > oldMajor || (major === 0 && oldMajor === 0 && minor > oldMinor)
}
