import { createHash } from 'node:crypto'
import type { ChangedFile, Commit, Ends, PullFacts } from './code.ts'
import { blobSha } from './contents.ts'
import {
  ownerOf,
  type StoredCheck,
  type StoredPull,
  type StoredRepository,
  type StoredStatus,
} from './entries.ts'

/*
 * Bodies as GitHub describes them, in the fields that somebody reads: the service, its examples, and agents. The name of
 * GitHub's schema is in brackets.
 */

/** The addresses from which all links in responses are built. */
export interface Addresses {
  apiUrl: string
  webUrl: string
  organization: string
}

/** An account (`simple-user`). */
export function account({ webUrl, organization }: Addresses, login: string) {
  const id = Number.parseInt(createHash('sha256').update(login.toLowerCase()).digest('hex').slice(0, 8), 16)
  const type = login === organization ? 'Organization' : 'User'
  return { login, id, html_url: `${webUrl}/${login}`, type }
}

/** The account that owns a repository. */
export const loginOf = (
  { organization }: Pick<Addresses, 'organization'>,
  repository: Pick<StoredRepository, 'name'>,
): string => ownerOf(repository) ?? organization

/** Owner and name of a repository. */
export const fullNameOf = (
  { organization }: Pick<Addresses, 'organization'>,
  repository: Pick<StoredRepository, 'name'>,
): string => (ownerOf(repository) === undefined ? `${organization}/${repository.name}` : repository.name)

/** A repository (`full-repository`). */
export function repositoryBody(addresses: Addresses, repository: StoredRepository) {
  const { apiUrl, webUrl } = addresses
  const full_name = fullNameOf(addresses, repository)
  return {
    id: repository.id,
    name: full_name.slice(full_name.indexOf('/') + 1),
    full_name,
    owner: account(addresses, loginOf(addresses, repository)),
    private: repository.private,
    archived: false,
    html_url: `${webUrl}/${full_name}`,
    url: `${apiUrl}/repos/${full_name}`,
    clone_url: `${webUrl}/${full_name}.git`,
    description: repository.description,
    default_branch: 'main',
    created_at: repository.createdAt,
  }
}

/** Characters of a description that a list shows. Anybody may open pull requests, and each decision of a founder reads the list of them. */
const keptInLists = 1000

/** A pull request in a list (`pull-request-simple`). */
export function simplePull(
  addresses: Addresses,
  repository: StoredRepository,
  pull: StoredPull,
  { headSha, baseSha }: Ends,
) {
  const repo = repositoryBody(addresses, repository)
  const html_url = `${repo.html_url}/pull/${pull.number}`
  const owner = loginOf(addresses, repository)
  const label = labelOf(owner, pull.head)
  const base = labelOf(owner, pull.base)
  return {
    url: `${repo.url}/pulls/${pull.number}`,
    id: pull.id,
    html_url,
    diff_url: `${html_url}.diff`,
    number: pull.number,
    state: pull.state,
    title: pull.title,
    body: pull.body?.slice(0, keptInLists) ?? null,
    user: account(addresses, authorOf(addresses, pull)),
    draft: pull.draft,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt ?? pull.createdAt,
    closed_at: pull.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergedAt === null ? null : (pull.merge?.sha ?? null),
    head: { label, ref: label.slice(label.indexOf(':') + 1), sha: headSha, repo },
    base: { label: base, ref: pull.base, sha: baseSha, repo },
  }
}

/** A pull request by itself (`pull-request`). */
export function fullPull(
  addresses: Addresses,
  repository: StoredRepository,
  pull: StoredPull,
  facts: PullFacts,
) {
  const { mergeable, commits, additions, deletions, changedFiles } = facts
  const isMerged = pull.mergedAt !== null
  return {
    ...simplePull(addresses, repository, pull, facts),
    body: pull.body,
    merged: isMerged,
    mergeable,
    mergeable_state: mergeableState(pull, mergeable),
    merged_by: isMerged ? account(addresses, pull.merge?.by ?? addresses.organization) : null,
    commits,
    additions,
    deletions,
    changed_files: changedFiles,
  }
}

function mergeableState({ draft }: StoredPull, mergeable: boolean | null): string {
  if (mergeable === null) return 'unknown'
  if (!mergeable) return 'dirty'
  return draft ? 'draft' : 'clean'
}

/** A branch with its owner; `account:branch` is one of that account's fork. */
export function labelOf(owner: string, branch: string): string {
  return branch.includes(':') ? branch : `${owner}:${branch}`
}

/** Login of the account that opened a pull request. */
export function authorOf({ organization }: Addresses, { author, head }: StoredPull): string {
  return author ?? (head.includes(':') ? head.slice(0, head.indexOf(':')) : organization)
}

/** A commit (`commit`); nobody knows its authors' accounts, because everybody can write any name into a commit. */
export function commitBody({ sha, tree, message, author, committer, parents }: Commit) {
  return {
    sha,
    commit: { author, committer, message, tree: { sha: tree } },
    parents: parents.map((parent) => ({ sha: parent })),
  }
}

/** How far two commits are apart (`commit-comparison`), and what has changed on the way to the second one. */
export function comparisonBody(
  { ahead, behind }: { ahead: number; behind: number },
  files: ChangedFile[] | undefined,
) {
  const status = ahead === 0 ? (behind === 0 ? 'identical' : 'behind') : behind === 0 ? 'ahead' : 'diverged'
  const counts = { ahead_by: ahead, behind_by: behind, total_commits: ahead }
  return { status, ...counts, ...(files && { files: files.map(diffEntry) }) }
}

/** A file that changed (`diff-entry`). The changes themselves are at the `diff_url` of a pull request. */
export function diffEntry({ sha, path, previousPath, status, additions, deletions }: ChangedFile) {
  const counts = { additions, deletions, changes: additions + deletions }
  return {
    sha,
    filename: path,
    status,
    ...counts,
    ...(previousPath !== undefined && { previous_filename: previousPath }),
  }
}

/** A check run (`check-run`). */
export function checkBody({ id, sha, name, status, conclusion, detailsUrl, output }: StoredCheck) {
  return { id, head_sha: sha, name, status, conclusion, details_url: detailsUrl, output }
}

/** A status of a commit as part of a combined one (`simple-commit-status`). */
function simpleStatus({ id, state, context, description, targetUrl, createdAt }: StoredStatus) {
  return { id, state, context, description, target_url: targetUrl, created_at: createdAt }
}

/** A status of a commit (`status`). */
export function statusBody(addresses: Addresses, status: StoredStatus) {
  const { creator } = status
  return { ...simpleStatus(status), creator: account(addresses, creator) }
}

/** The newest status of each context together (`combined-commit-status`). */
export function combinedStatus(sha: string, listed: StoredStatus[], all: StoredStatus[]) {
  const states = all.map(({ state }) => state)
  const hasFailed = states.some((state) => state === 'failure' || state === 'error')
  const isPending = states.length === 0 || states.includes('pending')
  const state = hasFailed ? 'failure' : isPending ? 'pending' : 'success'
  return { state, sha, total_count: all.length, statuses: listed.map(simpleStatus) }
}

/** A file without its content, as in `file-commit`. */
export function fileEntry(path: string, content: Buffer) {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return { name, path, sha: blobSha(content), size: content.length, type: 'file' }
}

/** A file by itself (`content-file`). */
export function contentFile(path: string, content: Buffer) {
  // GitHub breaks lines after 60 characters.
  const encoded = content.toString('base64').replace(/.{60}(?=.)/g, '$&\n')
  return { ...fileEntry(path, content), content: `${encoded}\n`, encoding: 'base64' }
}
