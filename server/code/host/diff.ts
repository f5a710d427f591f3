import { z } from 'zod'
import { RepositoryError } from './error.ts'
import { parseBody, statusOf, undefinedIfMissing } from './failures.ts'
import { type Host, hostSha, type PullRequestAddress } from './host.ts'

/** A file that a pull request changes. Its path and its patch are what others wrote. */
export interface ChangedFile {
  path: string
  additions: number
  deletions: number
  /** What has changed, in the lines of a unified diff; null if that is too large. */
  patch: string | null
}

/** The changes of a pull request. */
export interface Diff {
  /** Its newest commit when the changes had been read, so they are of no later one. */
  headSha: string
  /** Null if they are too large for the host. */
  files: ChangedFile[] | null
}

/** Longer patches are left out, and so is what comes after so much of all of them. */
const longest = { patch: 40_000, all: 200_000 }
const mostFiles = 300

const PullRequest = z.object({ head: z.object({ sha: hostSha }), changed_files: z.int().min(0) })

/**
 * Reads the changes of a pull request.
 * @returns undefined if the host has no such pull request
 * @throws RepositoryError `unavailable` where the host sends something else than a diff, for example a proxy's page, or a part of one
 */
export async function readDiff(
  { octokit, request }: Host,
  { owner, repository: repo, number: pull_number }: PullRequestAddress,
): Promise<Diff | undefined> {
  const pull = { owner, repo, pull_number, request: { ...request, retries: 0 } }
  const text = await octokit.rest.pulls
    .get({ ...pull, mediaType: { format: 'diff' } })
    .then(textOf)
    .catch((error) => (statusOf(error) === 406 ? null : undefinedIfMissing(error)))
  if (text === undefined) return undefined
  const found = await octokit.rest.pulls.get(pull).catch(undefinedIfMissing)
  if (!found) return undefined
  const { head, changed_files } = parseBody(PullRequest, found.data)
  const files = text === null ? null : filesOf(text)
  // A body that breaks off is a shorter one for Octokit, or an empty one.
  if (files && files.length !== changed_files) throw new RepositoryError('unavailable')
  return { headSha: head.sha, files }
}

function textOf({ data, headers }: { data: unknown; headers: { 'content-type'?: string } }): string {
  const type = headers['content-type'] ?? ''
  // GitHub says `application/vnd.github.diff`, with or without a version, and the embedded code host `text/plain`.
  const isDiff = /^(application\/vnd\.github\.([\w-]+\.)?diff|text\/plain)\b/.test(type)
  if (isDiff && typeof data === 'string' && /^(diff --git .*\n)?$/s.test(data)) return data
  throw new RepositoryError('unavailable')
}

/**
 * The files of a unified diff; null if they are too many. Lines end with a line feed alone: a carriage return in a file's text must
 * not look like the beginning of another file.
 */
export function filesOf(diff: string): ChangedFile[] | null {
  const sections = `\n${diff.trimEnd()}`.split('\ndiff --git ').slice(1)
  if (sections.length > mostFiles) return null
  let left = longest.all
  return sections.map((section) => {
    const [names = '', ...lines] = section.split('\n')
    const at = lines.findIndex((line) => line.startsWith('@@ '))
    const [head, hunks] = at < 0 ? [lines, []] : [lines.slice(0, at), lines.slice(at)]
    // The mode of a file, its old name, or that it is binary.
    const about = head.filter((line) => !/^(index|---|\+\+\+) /.test(line))
    const patch = [...about, ...hunks].join('\n')
    left -= patch.length
    const counted = (sign: string) => hunks.filter((line) => line.startsWith(sign)).length
    return {
      path: pathOf(names, head),
      additions: counted('+'),
      deletions: counted('-'),
      patch: patch.length > longest.patch || left < 0 ? null : patch,
    }
  })
}

/** The new name of a file; the old one if it was removed. */
function pathOf(names: string, head: readonly string[]): string {
  for (const name of [/^\+\+\+ "?b\/(.*?)"?\t?$/s, /^--- "?a\/(.*?)"?\t?$/s, /^rename to "?(.*?)"?$/s])
    for (const line of head) {
      const [, path] = name.exec(line) ?? []
      if (path) return path
    }
  // Nothing but its mode has changed, or it is empty or binary: `a/name b/name`.
  return names.slice(names.length / 2 + 1).replace(/^"?b\/|"$/g, '')
}
