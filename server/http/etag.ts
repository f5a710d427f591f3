import { hash } from 'node:crypto'
import type { Answer } from './answer.ts'
import { publicCache } from './headers.ts'

/** A public answer and the strong ETag of its content. */
export interface TaggedAnswer extends Answer {
  etag: string
}

/** Gives a public answer its strong ETag. */
export function tagged(answer: Answer): TaggedAnswer {
  const etag = `"${hash('sha1', answer.body, 'base64')}"`
  return { ...answer, etag, headers: { ...answer.headers, etag, 'cache-control': publicCache } }
}

/** The answer, or 304 without a body where `ifNoneMatch` names its ETag. */
export function negotiate(answer: TaggedAnswer, ifNoneMatch: string | undefined): Answer {
  return ifNoneMatch !== undefined && names(ifNoneMatch, answer.etag)
    ? { status: 304, headers: answer.headers, body: '' }
    : answer
}

/** Gives a public answer its strong ETag, and makes it 304 where `ifNoneMatch` names that ETag. */
export function conditional(answer: Answer, ifNoneMatch: string | undefined): Answer {
  return negotiate(tagged(answer), ifNoneMatch)
}

/** `If-None-Match` compares weakly and may list several tags, or `*` for any. */
function names(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true
  return ifNoneMatch.split(',').some((item) => {
    const tag = item.trim()
    return tag === '*' || tag.replace(/^W\//, '') === etag
  })
}
