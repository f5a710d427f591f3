import type { ChangedFile } from '../code/host/diff.ts'
import { visible } from './fences.ts'
import type { Json } from './json.ts'
import type { Send } from './send.ts'

/** Where the review page of the board reads a diff, too. No operation returns one. */
export const diffRoute = {
  id: 'board.diff',
  method: 'GET',
  path: '/submissions/{id}/diff',
  pathParameters: ['id'],
} as const

/** Bytes of a diff in one result, as JSON: the rest of the result has to fit beside them. */
const mostBytes = 6000

/** A piece of what a submission changes up to the newest commit, whole lines if it can be, and where the next one begins. */
export async function diffOf(send: Send, { id, bounty_id, status }: Json, from: number): Promise<Json> {
  const { head_sha } = (await send('submissions.pullRequest', { id })).pull_request as Json
  const { files } = (await send(diffRoute.id, { id, head: head_sha })) as { files: ChangedFile[] | null }
  const shown = { submission: { id, bounty_id, status }, head_sha }
  return files === null ? shown : { ...shown, ...pieceOf(files.map(textOf).join(''), from) }
}

function textOf({ path, additions, deletions, patch }: ChangedFile): string {
  return `=== ${path} +${additions} -${deletions}\n${patch ?? 'Too large to be shown: read it with git.'}\n`
}

/** @param from in characters of the text as it is shown */
export function pieceOf(text: string, from: number): { diff: string; diff_next: number | null } {
  const points = [...visible(text)]
  let end = from
  let endOfLine: number | undefined
  for (let bytes = 0; end < points.length; end++) {
    const point = points[end] as string
    bytes += Buffer.byteLength(JSON.stringify(point)) - 2
    if (bytes > mostBytes) break
    if (point === '\n') endOfLine = end + 1
  }
  const isAll = end >= points.length
  const next = isAll ? points.length : (endOfLine ?? end)
  return { diff: points.slice(from, next).join(''), diff_next: isAll ? null : next }
}
