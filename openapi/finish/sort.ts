import type { Document, Json } from '../types.ts'

/** Reading order for the members that have one; the rest follow by name, so a change moves nothing else. */
const first = ['openapi', 'info', 'servers', 'tags', 'paths', 'components']

/** The document with the members of every object sorted, except where their order carries meaning to a reader. */
export function sortKeys(document: Document): Document {
  return sorted(document as unknown as Json) as unknown as Document
}

function sorted(value: Json, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => sorted(item))
  if (value === null || typeof value !== 'object') return value
  if (asTheyAre.has(name)) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (name !== 'properties')
    members.sort(([left], [right]) => rank(left) - rank(right) || compare(left, right))
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member, key)]))
}

/** Bodies, in the order in which the service answers them. */
const asTheyAre = new Set(['example', 'value'])

function rank(name: string): number {
  const index = first.indexOf(name)
  return index < 0 ? first.length : index
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
