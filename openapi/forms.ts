import { downgrade } from './downgrade.ts'
import { excerpt } from './excerpt.ts'
import type { Document, Json } from './types.ts'
import { yaml } from './yaml.ts'

/** The form of the document that belongs to a path, or undefined if there is none. */
export function formOf(document: Document, path: string): string | undefined {
  if (path === '/openapi.json') return JSON.stringify(document)
  if (path === '/openapi.yaml') return `${yaml(document as unknown as Json)}\n`
  if (path === '/openapi-3.0.json') return JSON.stringify(downgrade(document))
  const [, tag = ''] = path.match(/^\/openapi\/(\w+)\.json$/) ?? []
  const own = excerpt(document, tag)
  return own && JSON.stringify(own)
}
