import type { PullChange, StoredPull, StoredRepository } from './entries.ts'
import type { FieldError } from './errors.ts'
import { now } from './store.ts'

/** Who wrote a commit, and when. */
export interface Signature {
  name: string
  email: string
  date: string
}

export interface Commit {
  sha: string
  tree: string
  parents: string[]
  author: Signature
  committer: Signature
  message: string
}

/** A file that differs between two commits. */
export interface ChangedFile {
  path: string
  previousPath: string | undefined
  /** The blob's hash; `null` for a removed file. */
  sha: string | null
  status: 'added' | 'removed' | 'modified' | 'renamed' | 'changed'
  additions: number
  deletions: number
}

/** The commits between which a pull request's changes are. */
export interface Ends {
  headSha: string
  baseSha: string
}

/** How much differs between two commits. */
export interface Size {
  additions: number
  deletions: number
  changedFiles: number
}

/** What is known about the changes of a pull request. */
export interface PullFacts extends Ends, Size {
  commits: number
  /** `null` for a merged or closed one. */
  mergeable: boolean | null
}

/** A file to write: the one that `sha` names at that moment; without `sha` it must not exist. */
export interface FileChange {
  path: string
  content: Buffer
  message: string
  sha: string | undefined
  by: Signature
}

/** A new commit: who makes it, and what it says. */
export interface CommitBy {
  author: Signature
  committer: Signature
  message: string
}

/** Pushes, and requests about pull requests, that an account may have waiting in a repository behind its next one. */
export const mostWaiting = 4

/** What has happened to a pull request, and the fields that change with it. */
export interface PullNews extends PullChange {
  action: string
  /** Who did it, if not its author. */
  by?: string | undefined
  /** What the texts were that an edit has changed, as a webhook has them. */
  changes?: Record<string, { from: string | null }>
}

/** That a pull request was merged by an account at this moment. */
export function mergedNow(by: string | undefined): PullNews {
  const moment = now()
  return { state: 'closed', closedAt: moment, mergedAt: moment, action: 'closed', by }
}

/** The repositories' code: in git, or what stands for it on a machine without git. */
export interface Code {
  /** Runs changes of a repository's own refs one after the other, and fairly by account. @throws TooManyWaiting */
  oneAtATime<T>(
    repository: StoredRepository,
    login: string,
    work: () => Promise<T>,
    mostWaiting?: number,
  ): Promise<T>
  /** Whether the repository has a commit. */
  hasMain(repository: StoredRepository): Promise<boolean>
  /** A file's content at a commit, or as it is now. */
  readFile(repository: StoredRepository, path: string, sha?: string): Promise<Buffer | undefined>
  /**
   * @returns the new commit, and the hash of the content before
   * @throws GitHubError 409, 422
   */
  writeFile(
    repository: StoredRepository,
    change: FileChange,
  ): Promise<{ previous: string | null; sha: string }>
  /** The full hash of a commit by its hash or branch; `undefined` if there is none. */
  findCommit(repository: StoredRepository, ref: string): Promise<string | undefined>
  /** A commit and what it changes; `undefined` if they are not known. */
  commit(
    repository: StoredRepository,
    sha: string,
  ): Promise<(Commit & Omit<Size, 'changedFiles'> & { files: ChangedFile[] }) | undefined>
  /** The pull request of a number under which none was opened; `undefined`: there is none. */
  unopened(repository: StoredRepository, number: number): StoredPull | undefined
  /** Why a new pull request is refused; `undefined`: it is not. */
  problemOf(
    repository: StoredRepository,
    pull: Pick<StoredPull, 'head' | 'base'>,
  ): Promise<Omit<FieldError, 'resource'> | undefined>
  hasBranch(repository: StoredRepository, pull: StoredPull): Promise<boolean>
  /** The branches whose names begin so, as refs with their commits. */
  branches(repository: StoredRepository, prefix: string): Promise<{ ref: string; sha: string }[]>
  /** Looks at the branches; the function then says what has become of an open pull request since it was last asked. */
  watch(repository: StoredRepository): Promise<(pull: StoredPull) => Promise<PullNews | undefined>>
  ends(repository: StoredRepository, pull: StoredPull): Promise<Ends>
  withEnds(repository: StoredRepository, pulls: StoredPull[]): Promise<{ pull: StoredPull; ends: Ends }[]>
  facts(repository: StoredRepository, pull: StoredPull): Promise<PullFacts>
  /** The files that changed, as many as are listed. */
  changedFiles(repository: StoredRepository, ends: Ends): Promise<ChangedFile[]>
  commits(repository: StoredRepository, ends: Ends): Promise<Commit[]>
  /** How many commits each end has that the other one lacks; `undefined` if they have no common history. */
  distance(repository: StoredRepository, ends: Ends): Promise<{ ahead: number; behind: number } | undefined>
  /** The numbers of the pull requests that have this commit. */
  pullsWith(repository: StoredRepository, sha: string): Promise<number[]>
  /** The changes as text; `undefined` if they are too long for that. */
  diff(repository: StoredRepository, ends: Ends): Promise<string | undefined>
  /**
   * Puts the changes on `main` as one commit, of which `record` hears before `main` moves.
   * @returns that commit; `undefined` if it cannot be made
   */
  squash(
    repository: StoredRepository,
    ends: Ends,
    by: CommitBy,
    record: (sha: string) => Promise<void>,
  ): Promise<string | undefined>
  /** Removes the branch of a merged pull request, unless somebody has pushed to it since: the service asks for `delete_branch_on_merge`. */
  removeBranch(repository: StoredRepository, pull: StoredPull): Promise<void>
  /**
   * Merges a branch or commit into `main`, with a commit of two parents.
   * @returns that commit; `undefined` if `main` contains the head already
   * @throws GitHubError 404, 409
   */
  mergeBranch(repository: StoredRepository, head: string, by: CommitBy): Promise<Commit | undefined>
}
