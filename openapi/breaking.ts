import { apiDiff, breaking } from 'api-smart-diff'
import { withoutNewNulls, withoutWords } from './comparable.ts'
import type { Document } from './types.ts'
import { returning, withoutUnions } from './unions.ts'

/**
 * The changes in `after` that may break a client written for `before`, one line each. New error codes are not among
 * them: the documentation tells clients to expect unknown codes.
 */
export function breakingChanges(before: Document, after: Document): string[] {
  const changes = apiDiff(comparable(before), comparable(withoutNewNulls(before, after)))
    // Components count where they are used.
    .filter(({ type, path }) => type === breaking && path[0] === 'paths' && !path.includes('error'))
    .map(({ action, path, description }) => description ?? `[${action}] ${path.join('.')}`)
  return [...new Set([...changes, ...removedRequestFields(before, after)])].sort()
}

function comparable(document: Document): Document {
  return withoutUnions(withReceived(withoutWords(document)))
}

/** The document with what webhooks send as responses of paths of their own: their receivers are clients, too. */
function withReceived({ webhooks = {}, ...document }: Document): Document {
  const received = Object.entries(webhooks).map(([name, { post }]) => {
    const schema = post?.requestBody?.content['application/json']?.schema ?? {}
    return [`/webhook/${name}`, { get: returning(schema) }] as const
  })
  return { ...document, paths: { ...document.paths, ...Object.fromEntries(received) } }
}

/** Removed request fields. Unknown fields are refused, so a client that sends one breaks; the library assumes open schemas. */
function removedRequestFields(before: Document, after: Document): string[] {
  return Object.entries(before.components.schemas).flatMap(([name, schema]) => {
    const now = after.components.schemas[name]
    if (!name.endsWith('Request') || !now) return []
    const removed = Object.keys(schema.properties ?? {}).filter((field) => !now.properties?.[field])
    return removed.map((field) => `[Removed] field \`${field}\` of ${name}`)
  })
}

/** Whether the version announces breaking changes: a new major version, or any below 1.0.0, the first release. */
export function declaresBreaking(before: string, after: string): boolean {
  const [oldMajor = 0] = before.split('.').map(Number)
  const [major = 0] = after.split('.').map(Number)
  return major === 0 || major > oldMajor
}
