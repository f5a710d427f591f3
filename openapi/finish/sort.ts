import type { Document, Json } from '../types.ts'

/** Members with a reading order. The rest follow by name, so that a change moves nothing else. */
const first = ['openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components']

/** The document with the members of every object sorted, except where their order helps readers. */
export function sortKeys(document: Document): Document {
  return sorted(document as unknown as Json) as unknown as Document
}

function sorted(value: Json, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => sorted(item))
  if (value === null || typeof value !== 'object') return value
  if (unsorted.has(name)) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (name !== 'properties')
    members.sort(([left], [right]) => rank(left) - rank(right) || compare(left, right))
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member, key)]))
}

/** Bodies keep the order of the service. */
const unsorted = new Set(['example', 'value'])

function rank(name: string): number {
  const index = first.indexOf(name)
  return index < 0 ? first.length : index
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
