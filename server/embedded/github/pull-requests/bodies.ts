import { type Addresses, account, hash, nodeId, repositoryBody } from '../bodies.ts'
import type { StoredPull, StoredRepository } from '../entries.ts'
import type { Ends, PullFacts } from '../git/code.ts'

/** A pull request in a list (`pull-request-simple`). */
export function simplePull(
  addresses: Addresses,
  repository: StoredRepository,
  pull: StoredPull,
  { headSha, baseSha }: Ends,
) {
  const { url, html, issue, ...links } = linksOf(addresses, repository, pull, headSha)
  return {
    url,
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    number: pull.number,
    state: pull.state,
    locked: false,
    title: pull.title,
    body: pull.body,
    user: account(addresses, authorOf(addresses, pull)),
    draft: pull.draft,
    labels: [],
    milestone: null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    author_association: 'CONTRIBUTOR',
    auto_merge: null,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt ?? pull.createdAt,
    closed_at: pull.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergedAt === null ? null : (pull.merge?.sha ?? null),
    head: branch(addresses, repository, pull.head, headSha),
    base: branch(addresses, repository, pull.base, baseSha),
    _links: Object.fromEntries(
      Object.entries({ self: url, html, issue, ...links }).map(([name, href]) => [name, { href }]),
    ),
  }
}

/** The addresses of a pull request and of what belongs to it, by GitHub's names. */
function linksOf(
  { apiUrl, webUrl, organization }: Addresses,
  { name }: StoredRepository,
  { number }: StoredPull,
  headSha: string,
) {
  const repository = `${apiUrl}/repos/${organization}/${name}`
  const url = `${repository}/pulls/${number}`
  const issue = `${repository}/issues/${number}`
  return {
    url,
    html: `${webUrl}/${organization}/${name}/pull/${number}`,
    issue,
    comments: `${issue}/comments`,
    review_comments: `${url}/comments`,
    review_comment: `${repository}/pulls/comments{/number}`,
    commits: `${url}/commits`,
    statuses: `${repository}/statuses/${headSha}`,
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
    merged: isMerged,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: mergeableState(pull, mergeable),
    merged_by: isMerged ? account(addresses, pull.merge?.by ?? addresses.organization) : null,
    comments: 0,
    review_comments: 0,
    commits,
    additions,
    deletions,
    changed_files: changedFiles,
    maintainer_can_modify: false,
  }
}

function mergeableState({ draft }: StoredPull, mergeable: boolean | null): string {
  if (mergeable === null) return 'unknown'
  if (!mergeable) return 'dirty'
  return draft ? 'draft' : 'clean'
}

/** Login of the account that opened a pull request. */
export function authorOf({ organization }: Addresses, { author, head }: StoredPull): string {
  return author ?? (head.includes(':') ? head.slice(0, head.indexOf(':')) : organization)
}

/** Without git a pull request has no commits: these are made up. */
export function madeUpFacts(repository: StoredRepository, { head, base }: StoredPull): PullFacts {
  const shaOf = (label: string) => hash(`${repository.id}/${label}`).slice(0, 40)
  const counts = { commits: 1, additions: 1, deletions: 0, changedFiles: 1, mergeable: true }
  return { headSha: shaOf(head), baseSha: shaOf(base), ...counts }
}

/** `label` is `branch`, or `account:branch` for a branch of that account's fork. */
function branch(addresses: Addresses, repository: StoredRepository, label: string, sha: string) {
  const [first = '', second] = label.split(':')
  const login = second === undefined ? addresses.organization : first
  const ref = second ?? first
  return {
    label: `${login}:${ref}`,
    ref,
    sha,
    user: account(addresses, login),
    repo: repositoryBody(addresses, repository),
  }
}
