/** What the code host reports about a pull request, by the columns that hold it. */
export interface PullRequestFacts {
  state: 'open' | 'closed'
  draft: boolean
  /** Whether it was merged, into whatever branch, or the default branch has the commit that was submitted. */
  merged: boolean
  /** When it was merged, by the host's clock, or when that commit was found; null if it is not merged. */
  merged_at: Date | null
  /** Whether it was merged, and nothing else may have brought its commits to the default branch. */
  merged_by_itself: boolean
  /** Id of the account that merged it; null if it is not merged, or the host does not say. */
  merged_by_id: number | null
  /** The commit that merged it; null if it is not merged, or the host does not say. */
  merge_commit_sha: string | null
  /** Its newest commit. */
  head_sha: string
  /** The branch that it is to be merged into, and whether that is the default branch. */
  base_ref: string
  into_default: boolean
  /** When it was opened, by the host's clock; null if that does not say. */
  opened_at: Date | null
  /** When it changed last, by the host's clock. */
  changed_at: Date
  /** Id and name of the account that opened it; null where it was deleted. */
  author_id: number | null
  author_login: string | null
  /** Id of the account whose fork it comes from; null where it comes from the repository itself, or the host does not say. */
  fork_owner_id: number | null
  /** The name of its branch, which says whose work it is: no host changes that of a pull request. */
  head_ref: string
  additions: number
  deletions: number
  changed_files: number
  /** Null while the host has not found out. */
  mergeable: boolean | null
}
