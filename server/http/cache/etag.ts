import { hash } from 'node:crypto'
import type { Answer } from '../adapter/response.ts'
import { publicCache } from '../headers.ts'

/** A public answer and the strong ETag of its content. */
export interface TaggedResponse extends Answer {
  etag: string
}

/** The strong ETag of a content. */
export function etagOf(content: string): string {
  return `"${hash('sha1', content, 'base64')}"`
}

/** Gives a public answer its strong ETag. */
export function tagged(answer: Answer): TaggedResponse {
  const etag = etagOf(answer.body)
  return { ...answer, etag, headers: { ...answer.headers, etag, 'cache-control': publicCache } }
}

/** The answer, or 304 without a body where `ifNoneMatch` names its ETag. */
export function negotiate(answer: TaggedResponse, ifNoneMatch: string | undefined): Answer {
  return isNamed(ifNoneMatch, answer.etag) ? { status: 304, headers: answer.headers, body: '' } : answer
}

/** Gives a public answer its strong ETag, and makes it 304 where `ifNoneMatch` names that ETag. */
export function conditional(answer: Answer, ifNoneMatch: string | undefined): Answer {
  return negotiate(tagged(answer), ifNoneMatch)
}

/** Whether `ifNoneMatch` names `etag`. It compares weakly and may list several tags, or `*` for any. */
export function isNamed(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  return ifNoneMatch.split(',').some((item) => {
    const tag = item.trim()
    return tag === '*' || tag.replace(/^W\//, '') === etag
  })
}
