import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChangedFile, Commit, CommitBy, Signature } from '../code.ts'
import { tooLarge } from '../errors.ts'
import { type Git, GitFailure, type GitOptions } from './run-git.ts'

export const mainRef = 'refs/heads/main'
/** What git names an empty tree. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const noCommit = '0'.repeat(40)
/** As many commits of a pull request as GitHub lists. */
const mostCommits = 250
/** Bytes of a file that the contents API returns. */
const longestFile = 1024 * 1024

/** The commands on one bare repository. All throw GitFailure. */
export type BareRepository = ReturnType<typeof openBareRepository>

/** Opens a bare repository, which has to exist. */
export function openBareRepository(git: Git, directory: string) {
  const run: Run = (args, options) => git.run(directory, args, options)
  const refs = refCommands(run)
  /** Removes what pushes had set apart that were broken off: git leaves it. Only while nobody pushes. */
  const removeBrokenOff = async () => {
    const objects = join(directory, 'objects')
    const names = (await readdir(objects)).filter((name) => name.startsWith('tmp_objdir-'))
    await Promise.all(names.map((name) => rm(join(objects, name), { recursive: true, force: true })))
  }
  return {
    directory,
    emptyTree,
    removeBrokenOff,
    ...refs,
    ...readCommands(run),
    ...writeCommands(run, directory, refs),
  }
}

type Run = (args: string[], options?: Parameters<Git['run']>[2]) => Promise<string>

const line = async (run: Run, ...command: Parameters<Run>) => (await run(...command)).trim()

function refCommands(run: Run) {
  return {
    /** All refs with the commits they point to, or those that are in a branch. */
    async refs(mergedInto?: string): Promise<Map<string, string>> {
      const merged = mergedInto === undefined ? [] : [`--merged=${mergedInto}`]
      const output = await run(['for-each-ref', ...merged, '--format=%(objectname) %(refname)'])
      const pairs = output.split('\n').filter(Boolean)
      return new Map(pairs.map((pair) => [pair.slice(41), pair.slice(0, 40)]))
    },

    /** Moves a ref from one commit to another, `undefined` being none; fails if it points elsewhere. */
    async updateRef(ref: string, to: string | undefined, from: string | undefined): Promise<void> {
      await run(['update-ref', ref, to ?? noCommit, from ?? noCommit])
    },

    /** Bytes of all objects on disk, of those that no ref reaches as well. */
    async size() {
      const output = await run(['count-objects', '-v'])
      const sizes = output.matchAll(/^size(?:-pack|-garbage)?: (\d+)$/gm)
      return [...sizes].reduce((sum, [, kib]) => sum + Number(kib) * 1024, 0)
    },

    /** Frees the space of what no ref reaches. Only while nothing is written that no ref reaches yet. */
    collectGarbage: () => run(['gc', '--quiet', '--prune=now']),

    /** The full hash of a commit by its hash or ref; `undefined` if there is none. */
    commitOf: (name: string) =>
      line(run, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]).catch(
        undefinedIfRefused,
      ),

    treeOf: (name: string) => line(run, ['rev-parse', '--verify', '--end-of-options', `${name}^{tree}`]),

    contains: (descendant: string, sha: string) =>
      run(['merge-base', '--is-ancestor', sha, descendant]).then(
        () => true,
        (error) => undefinedIfRefused(error) ?? false,
      ),
  }
}

function readCommands(run: Run) {
  const log = async (range: string[]): Promise<Commit[]> => {
    const fields = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B']
    const output = await run(['log', '-z', `--format=${fields.join('%x00')}`, ...range, '--'])
    const values = output.split('\0')
    return Array.from({ length: Math.floor(values.length / fields.length) }, (_, index) =>
      readCommit(values.slice(index * fields.length, (index + 1) * fields.length)),
    )
  }

  return {
    /** A file's content; `undefined` if there is no file at that path. */
    async readFile(ref: string, path: string): Promise<Buffer | undefined> {
      if (path.includes('\0')) return undefined
      const blob = `${ref}:${path}`
      const size = await run(['cat-file', '-s', blob]).catch(undefinedIfRefused)
      if (Number(size) > longestFile) throw tooLarge()
      const content = await run(['cat-file', 'blob', blob], { encoding: 'latin1' }).catch(undefinedIfRefused)
      return content === undefined ? undefined : Buffer.from(content, 'latin1')
    },

    async commit(sha: string): Promise<Commit> {
      const [commit] = await log(['-1', sha])
      if (!commit) throw new Error('there is no such commit')
      return commit
    },

    /** Commits of `head` that `base` does not contain, the oldest first. */
    commits: (base: string, head: string) =>
      log([`--max-count=${mostCommits}`, '--reverse', `${base}..${head}`]),

    countCommits: async (base: string, head: string) =>
      Number(await line(run, ['rev-list', '--count', `${base}..${head}`, '--'])),

    /** Where `head` left `base`; an empty tree if they have no common history. */
    mergeBase: async (base: string, head: string) =>
      (await line(run, ['merge-base', base, head]).catch(undefinedIfRefused)) ?? emptyTree,

    /**
     * The commit of `main` that brought `sha` to it, with what `main` was before, and who made it; `undefined` if it is its newest one.
     * Nobody can push to `main`, so its commits are by whom they name.
     */
    async bringing(headSha: string) {
      const since = await run(['rev-list', '--first-parent', '--ancestry-path', `${headSha}..${mainRef}`])
      const sha = since.trim().split('\n').at(-1)
      if (!sha) return undefined
      const by = await line(run, ['log', '-1', '--format=%cn', sha])
      return { sha, headSha, baseSha: await line(run, ['rev-parse', '--verify', `${sha}^1`]), by }
    },

    haveCommonHistory: async (one: string, other: string) =>
      (await run(['merge-base', one, other]).catch(undefinedIfRefused)) !== undefined,

    /** The numbers of the pull requests whose newest commit is `sha`, or comes after it. */
    async pullsWith(sha: string): Promise<number[]> {
      const output = await run(['for-each-ref', `--contains=${sha}`, '--format=%(refname)', 'refs/pull/'])
      return [...output.matchAll(/^refs\/pull\/(\d+)\/head$/gm)].map(([, number]) => Number(number))
    },

    /** What changed from one commit or tree to another. Without lines git reads no content, and finds no renames. */
    async changedFiles(from: string, to: string, withLines = true): Promise<ChangedFile[]> {
      const how = withLines ? [...plain, '--raw', '--numstat'] : ['--no-renames', '--raw']
      const output = await run(['diff', ...how, '--no-abbrev', '-z', from, to, '--'], { isDiff: true })
      return readChangedFiles(output)
    },

    /** The differences as text. @throws GitFailure if they are longer than `maxBytes` */
    diff: (from: string, to: string, maxBytes: number) =>
      run(['diff', ...plain, '-p', from, to, '--'], { maxBytes, isDiff: true }),
  }
}

function writeCommands(run: Run, directory: string, refs: ReturnType<typeof refCommands>) {
  async function treeWith(path: string, content: Buffer, parent: string | undefined): Promise<string> {
    const index = join(directory, `index-${randomUUID()}`)
    const environment = { GIT_INDEX_FILE: index }
    try {
      if (parent !== undefined) await run(['read-tree', parent], { environment })
      const blob = await line(run, ['hash-object', '-w', '--stdin'], { input: content })
      await run(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], { environment })
      return await line(run, ['write-tree'], { environment })
    } finally {
      await rm(index, { force: true })
    }
  }

  /**
   * Everything else in a commit is known before it is made: an account that foresees its hash could open a pull request with it, which would
   * count as merged. GitHub's signature does the same as our random header.
   */
  const commitTree = (tree: string, parents: string[], by: CommitBy) => {
    const head = [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${signed(by.author)}`,
      `committer ${signed(by.committer)}`,
      `nonce ${randomBytes(20).toString('hex')}`,
    ]
    const input = `${head.join('\n')}\n\n${by.message.replaceAll('\0', '')}`
    return line(run, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input })
  }

  return {
    commitTree,

    /** Commits one file on `main` and returns the commit. */
    async commitFile(path: string, content: Buffer, message: string, by: Signature): Promise<string> {
      const parent = await refs.commitOf(mainRef)
      const tree = await treeWith(path, content, parent)
      const sha = await commitTree(tree, parent === undefined ? [] : [parent], {
        author: by,
        committer: by,
        message,
      })
      await refs.updateRef(mainRef, sha, parent)
      return sha
    },

    /** The tree of both commits merged; `undefined` if they conflict or have no common history. */
    mergeTree: (base: string, head: string, options?: GitOptions) =>
      line(run, ['merge-tree', '--write-tree', '--no-messages', base, head], options).catch(
        undefinedIfRefused,
      ),
  }
}

/** Runs no program that a setting or a file in the tree could name. */
const plain = ['-M', '--no-color', '--no-ext-diff', '--no-textconv']

const signed = ({ name, email, date }: Signature) => `${name} <${email}> ${Date.parse(date) / 1000} +0000`

/** Turns git's refusal into `undefined`; throws a command that was ended. */
function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof GitFailure) || error.exitCode === undefined) throw error
}

function readCommit(values: string[]): Commit {
  const [sha = '', tree = '', parents = '', ...rest] = values
  const [authorName = '', authorEmail = '', authorDate = '', name = '', email = '', date = '', text = ''] =
    rest
  return {
    sha,
    tree,
    parents: parents.split(' ').filter(Boolean),
    author: { name: authorName, email: authorEmail, date: authorDate },
    committer: { name, email, date },
    message: text.trimEnd(),
  }
}

const statuses: Record<string, ChangedFile['status']> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  T: 'changed',
}

/** Reads `--raw --numstat -z`: first all `:modes hashes status` with paths, then all counts, in the same order. */
function readChangedFiles(output: string): ChangedFile[] {
  const tokens = output.split('\0').slice(0, -1)
  const files: ChangedFile[] = []
  let at = 0
  while (tokens[at]?.startsWith(':')) {
    const [, , , sha = '', letter = ''] = tokens[at++]?.split(' ') ?? []
    const status = statuses[letter[0] ?? ''] ?? 'modified'
    const previousPath = status === 'renamed' ? tokens[at++] : undefined
    const path = tokens[at++] ?? ''
    files.push({
      path,
      previousPath,
      sha: status === 'removed' ? null : sha,
      status,
      additions: 0,
      deletions: 0,
    })
  }
  for (const file of files) {
    const [additions = '0', deletions = '0'] = tokens[at++]?.split('\t') ?? []
    if (file.previousPath !== undefined) at += 2
    // A binary file has "-".
    file.additions = Number(additions) || 0
    file.deletions = Number(deletions) || 0
  }
  return files
}
