import { hash } from 'node:crypto'
import { publicCache } from '../headers.ts'
import type { HttpResponse } from '../response.ts'

/** A public response with the strong ETag of its body. */
export interface TaggedResponse extends HttpResponse {
  etag: string
}

/** The strong ETag of a body. */
export function etagOf(content: string): string {
  return `"${hash('sha1', content, 'base64')}"`
}

/** Gives a public response its strong ETag. */
export function tagged(response: HttpResponse): TaggedResponse {
  const etag = etagOf(response.body)
  return { ...response, etag, headers: { ...response.headers, etag, 'cache-control': publicCache } }
}

/** The response, or 304 without a body if `ifNoneMatch` names its ETag. */
export function negotiate(response: TaggedResponse, ifNoneMatch: string | undefined): HttpResponse {
  return isNamed(ifNoneMatch, response.etag) ? { status: 304, headers: response.headers, body: '' } : response
}

/** Gives a public response its strong ETag, and makes it 304 if `ifNoneMatch` names that ETag. */
export function conditional(response: HttpResponse, ifNoneMatch: string | undefined): HttpResponse {
  return negotiate(tagged(response), ifNoneMatch)
}

/** Whether `ifNoneMatch` names `etag`: it may list several tags, weak ones too, or be `*` for any. */
export function isNamed(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  return ifNoneMatch.split(',').some((item) => {
    const tag = item.trim()
    return tag === '*' || tag.replace(/^W\//, '') === etag
  })
}
