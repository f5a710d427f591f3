import { type Addresses, account, nodeId, repositoryBody } from './bodies.ts'
import { unsigned } from './contents.ts'
import type { StoredCheck, StoredPull, StoredRepository, StoredStatus } from './entries.ts'
import type { ChangedFile, Commit } from './git/bare-repository.ts'
import type { Ends } from './git/code.ts'

function addressOf({ apiUrl, organization }: Addresses, { name }: StoredRepository): string {
  return `${apiUrl}/repos/${organization}/${name}`
}

function pageOf({ webUrl, organization }: Addresses, { name }: StoredRepository): string {
  return `${webUrl}/${organization}/${name}`
}

/** A commit (`commit`); the accounts of its authors are unknown, because everybody can write any name into a commit. */
export function commitBody(addresses: Addresses, repository: StoredRepository, commit: Commit) {
  const { sha, tree, message } = commit
  const api = addressOf(addresses, repository)
  const html = pageOf(addresses, repository)
  return {
    url: `${api}/commits/${sha}`,
    sha,
    node_id: nodeId('Commit', repository.id),
    html_url: `${html}/commit/${sha}`,
    comments_url: `${api}/commits/${sha}/comments`,
    commit: {
      url: `${api}/git/commits/${sha}`,
      author: commit.author,
      committer: commit.committer,
      message,
      comment_count: 0,
      tree: { sha: tree, url: `${api}/git/trees/${tree}` },
      verification: unsigned,
    },
    author: null,
    committer: null,
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${api}/commits/${parent}`,
      html_url: `${html}/commit/${parent}`,
    })),
  }
}

/** A file that changed (`diff-entry`) in the commit `sha`. The changes themselves are at the `diff_url` of a pull request. */
export function diffEntry(
  addresses: Addresses,
  repository: StoredRepository,
  file: ChangedFile,
  sha: string,
) {
  const path = file.path.split('/').map(encodeURIComponent).join('/')
  const html = pageOf(addresses, repository)
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${html}/blob/${sha}/${path}`,
    raw_url: `${html}/raw/${sha}/${path}`,
    contents_url: `${addressOf(addresses, repository)}/contents/${path}?ref=${sha}`,
    ...(file.previousPath !== undefined && { previous_filename: file.previousPath }),
  }
}

/** A check run (`check-run`). @param pulls open pull requests whose newest commit it is about */
export function checkBody(
  addresses: Addresses,
  repository: StoredRepository,
  check: StoredCheck,
  pulls: { pull: StoredPull; ends: Ends }[],
) {
  const url = `${addressOf(addresses, repository)}/check-runs/${check.id}`
  const html = `${pageOf(addresses, repository)}/runs/${check.id}`
  return {
    id: check.id,
    node_id: nodeId('CheckRun', check.id),
    head_sha: check.sha,
    external_id: check.externalId,
    url,
    html_url: html,
    details_url: check.detailsUrl ?? html,
    status: check.status,
    conclusion: check.conclusion,
    started_at: check.startedAt,
    completed_at: check.completedAt,
    output: { ...check.output, annotations_count: 0, annotations_url: `${url}/annotations` },
    name: check.name,
    check_suite: null,
    app: null,
    pull_requests: pulls.map(({ pull, ends }) => minimalPull(addresses, repository, pull, ends)),
  }
}

function minimalPull(addresses: Addresses, repository: StoredRepository, pull: StoredPull, ends: Ends) {
  const url = addressOf(addresses, repository)
  const repo = { id: repository.id, url, name: repository.name }
  return {
    id: pull.id,
    number: pull.number,
    url: `${url}/pulls/${pull.number}`,
    head: { ref: pull.head.slice(pull.head.indexOf(':') + 1), sha: ends.headSha, repo },
    base: { ref: pull.base, sha: ends.baseSha, repo },
  }
}

/** A status of a commit (`status`). */
export function statusBody(addresses: Addresses, repository: StoredRepository, status: StoredStatus) {
  const creator = account(addresses, status.creator)
  return {
    url: `${addressOf(addresses, repository)}/statuses/${status.sha}`,
    avatar_url: creator.avatar_url,
    id: status.id,
    node_id: nodeId('Status', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator,
  }
}

/** The newest status of each context together (`combined-commit-status`). */
export function combinedStatus(
  addresses: Addresses,
  repository: StoredRepository,
  { sha, statuses, total }: { sha: string; statuses: StoredStatus[]; total: StoredStatus[] },
) {
  const states = total.map(({ state }) => state)
  const hasFailed = states.some((state) => state === 'failure' || state === 'error')
  const isPending = states.length === 0 || states.includes('pending')
  const url = `${addressOf(addresses, repository)}/commits/${sha}`
  return {
    state: hasFailed ? 'failure' : isPending ? 'pending' : 'success',
    sha,
    total_count: total.length,
    statuses: statuses.map((status) => {
      const { creator: _, ...simple } = statusBody(addresses, repository, status)
      return simple
    }),
    repository: repositoryBody(addresses, repository),
    commit_url: url,
    url: `${url}/status`,
  }
}
