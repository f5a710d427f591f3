import { createHash } from 'node:crypto'
import type { FileChange, Signature } from './code.ts'
import { GitHubError, invalid } from './errors.ts'
import { now } from './store.ts'

/** The hash by which git names a file's content. */
export function blobSha(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

/** @throws GitHubError 409, 422 unless the content before is the one that the change expects */
export function requireExpected({ path, sha }: FileChange, previous: string | null): void {
  if (previous !== null && sha === undefined) throw invalid('Invalid request.\n\n"sha" wasn\'t supplied.')
  if (sha !== undefined && sha !== previous) throw new GitHubError(409, `${path} does not match ${sha}`)
}

/** What commits made here say about their author. */
export function signatureOf(login: string): Signature {
  return { name: login, email: `${login}@users.noreply.github.com`, date: now() }
}
