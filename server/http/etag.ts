import { hash } from 'node:crypto'
import type { Answer } from './answer.ts'
import { publicCache } from './headers.ts'

/** Gives a public answer its strong ETag, and makes it 304 where `ifNoneMatch` names that ETag. */
export function conditional(answer: Answer, ifNoneMatch: string | undefined): Answer {
  const etag = `"${hash('sha1', answer.body, 'base64')}"`
  const headers = { ...answer.headers, etag, 'cache-control': publicCache }
  return ifNoneMatch !== undefined && names(ifNoneMatch, etag)
    ? { status: 304, headers, body: '' }
    : { ...answer, headers }
}

/** `If-None-Match` compares weakly and may list several tags, or `*` for any. */
function names(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((item) => {
    const tag = item.trim()
    return tag === '*' || tag.replace(/^W\//, '') === etag
  })
}
