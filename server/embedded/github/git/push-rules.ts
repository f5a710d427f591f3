import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileDurably } from '../../durable-files.ts'
import type { Git } from './run-git.ts'

const mib = 1024 * 1024

/** What a push may bring. */
export interface PushLimits {
  /** Bytes of one push. */
  push: number
  /** Bytes of one file. */
  file: number
  /** Bytes of one repository on disk, beyond which a push brings nothing. */
  repository: number
  /** Repositories that an agent may own. */
  owned: number
  /** Bytes that the branches of one account and its pull requests, merged ones aside, keep in a repository beside the default branch. */
  account: number
  /** Branches that one push creates, moves or deletes: pull requests are compared for each, while others wait. */
  updates: number
  /** Branches that one agent has in a repository, and characters of the name of a ref. */
  branches: number
  refName: number
  /** Files and folders of one commit. A few objects can be put together to any number of them. */
  entries: number
  /** Commits of a branch that the default one does not have: the host counts and compares them again and again. */
  commits: number
  /** Bytes, not compressed, of all commits of the default branch, and of the branches and pull requests of one account: git reads each whole. */
  history: number
  /** Bytes of a commit with its message. */
  message: number
  /** Bytes of checks, statuses and texts of pull requests that one account writes, in all repositories together: all of it is in memory. */
  written: number
  /** Milliseconds that git may work for one push or fetch. */
  timeMs: number
  /** Milliseconds after which a push makes room for others that wait: a pack of some kB can be unpacked for hours. */
  promptMs: number
  /** Milliseconds in which an account pushes nothing after a push of it took too long. */
  pauseMs: number
}

export const defaultLimits: PushLimits = {
  push: 50 * mib,
  file: 10 * mib,
  // Ten of the largest pushes. Accounts are free, and the disk is that of the whole service.
  repository: 500 * mib,
  owned: 3,
  // So that few accounts cannot fill a repository for all others.
  account: 50 * mib,
  updates: 20,
  branches: 200,
  refName: 250,
  entries: 100_000,
  commits: 10_000,
  history: 32 * mib,
  message: 64 * 1024,
  written: 16 * mib,
  timeMs: 60_000,
  // Several times what the largest push takes.
  promptMs: 8_000,
  pauseMs: 10 * 60_000,
}

const nobody = 'nobody pushes here'

/** After a push git notes how commits follow one another, so that it counts and compares histories without reading each commit whole. */
const postReceive = `#!/bin/sh
git commit-graph write --reachable --split --no-progress || true
`

/**
 * Writes our hooks below `home`, outside every repository, so that no push can bring one.
 * @returns why git would not run it, for git ignores a hook that it cannot execute; `undefined` if it does
 */
export async function writeHooks(git: Git, home: string, limits: PushLimits): Promise<string | undefined> {
  const path = join(home, 'hooks/pre-receive')
  await writeFileDurably(path, preReceive(limits), 0o755)
  await chmod(path, 0o755)
  await writeFileDurably(join(home, 'hooks/post-receive'), postReceive, 0o755)
  const probe = join(home, 'probe.git')
  await mkdir(probe, { recursive: true })
  await git.run(probe, ['init', '--quiet', '--bare', '--template=', '.'])
  const refusal = await git.run(probe, ['hook', 'run', 'pre-receive']).catch(String)
  return refusal.includes(nobody) ? undefined : `git does not run programs in ${join(home, 'hooks')}`
}

/**
 * Git runs it before a push takes effect, on the objects that it has set apart. PUSHER is the agent that pushes, PULLS
 * are the numbers of its pull requests that are not merged, and OWNED is the agent that owns the repository, if one does. It pushes
 * everywhere but below the ids of others, whose branches say whose work they are. A hook
 * sees what git is about to do, so it cannot read a push differently from git.
 */
function preReceive(limits: PushLimits): string {
  const { file, repository, account, updates, branches, refName, entries, commits, history, message } = limits
  return `#!/bin/sh
refuse() {
  for line in "$@"; do printf 'error: %s\\n' "$line" >&2; done
  exit 1
}
test -n "$PUSHER" || refuse '${nobody}'
updates=$(cat)
test "$(printf '%s\n' "$updates" | wc -l)" -le ${updates} || refuse 'A push may update ${updates} branches. Push the others by another one.'

# What this push brings counts. One that only deletes branches brings nothing.
used=$(du -sk "$(git rev-parse --git-common-dir)" | cut -f1) || exit 1
if test "$used" -gt ${Math.floor(repository / 1024)} && printf '%s\\n' "$updates" | cut -d' ' -f2 | grep -q '[1-9a-f]'; then
  refuse "The repository would have $(( used / 1024 )) MB; it may have ${repository / mib} MB" \\
    'Delete branches that nobody needs: their space is free at once, except what pull requests keep.'
fi

# Sizes of all new objects: unpackLimit keeps them in packs. The host reads commits again and again.
for index in "$GIT_QUARANTINE_PATH"/pack/*.idx; do
  test -e "$index" || continue
  big=$(git show-index <"$index" | cut -d' ' -f2 |
    git cat-file --batch-check='%(objectsize) %(objectname) %(objecttype)' |
    awk '$3 == "blob" && $1 > ${file} || $3 ~ /commit|tag/ && $1 > ${message} { print $2, $1, $3; exit }') || exit 1
  test -n "$big" || continue
  set -- $big
  test "$3" = blob || refuse "The message of $3 $1 is too long: a $3 has at most ${message} bytes"
  name=$(printf '%s\\n' "$updates" | cut -d' ' -f2 | grep -v '^0*$' | git rev-list --objects --stdin --not --all |
    awk -v id="$1" '$1 == id { print substr($0, length($1) + 2); exit }')
  refuse 'GH001: Large files detected. You may want to try Git Large File Storage - https://git-lfs.github.com.' \\
    "File \${name:-$1} is $(( $2 / ${mib} )) MB; this exceeds the file size limit of ${file / mib} MB"
done

created=$(printf '%s\\n' "$updates" | grep -c '^00* .*[1-9a-f].* ')
mine=$(
  git for-each-ref --format='%(refname)' "refs/heads/$PUSHER/"
  test "$OWNED" != "$PUSHER" || git for-each-ref --format='%(refname)' refs/heads/ | grep -v '^refs/heads/agent_'
)
known=$(printf '%s' "$mine" | grep -c .)
# The first push to a repository of an agent's own brings the default branch.
main='--not refs/heads/main'
git rev-parse --quiet --verify refs/heads/main >/dev/null || main=
if test "$created" -gt 0 && test $(( created + known )) -gt ${branches}; then
  refuse 'You may have ${branches} branches in a repository. Delete some that you do not need.'
fi

seen=
while read -r old new ref; do
  case $ref in
    "refs/heads/$PUSHER/"?*) ;;
    refs/heads/agent_*) refuse "$ref is not yours: you may push below refs/heads/$PUSHER/ only" ;;
    refs/heads/main)
      test "$OWNED" = "$PUSHER" || refuse \\
        'GH006: Protected branch update failed for refs/heads/main.' 'Changes must be made through a pull request.' ;;
    refs/heads/?*)
      test "$OWNED" = "$PUSHER" || refuse "$ref is not yours: you may push below refs/heads/$PUSHER/ only" ;;
    *) refuse "$ref is not yours: you may push below refs/heads/$PUSHER/ only" ;;
  esac
  case $new in *[!0]*) ;; *) continue ;; esac
  test "\${#ref}" -le ${refName} || refuse 'The name of a branch has at most ${refName} characters'
  case $seen in *" $new"*) continue ;; esac
  test "$(git cat-file -t "$new")" = commit || refuse "$ref has to be a commit"
  tree=$(git rev-parse "$new^{tree}")
  case $seen in *" $tree"*) ;; *)
    found=$(git ls-tree -r -t --name-only "$tree" | head -n ${entries + 1} | wc -l)
    test "$found" -le ${entries} || refuse "$ref has more than ${entries} files and folders" ;;
  esac
  found=$(git rev-list --count --max-count=${commits + 1} "$new" $main)
  test "$found" -le ${commits} || refuse "$ref has more than ${commits} commits that main does not have"
  seen="$seen $new $tree"
done <<EOF
$updates
EOF

brought=$(printf '%s\\n' "$updates" | cut -d' ' -f2 | grep -v '^0*$')
test -n "$brought" || exit 0
set --
for number in $PULLS; do set -- "$@" "--glob=refs/pull/$number/*"; done
kept=$(git rev-list --objects --disk-usage $brought $mine "$@" $main) || exit 1
test "$kept" -le ${account} || refuse \
  "Your branches and pull requests would keep $(( kept / ${mib} )) MB in this repository; they may keep ${account / mib} MB" \
  'Delete branches that you do not need. What a pull request has brought stays, as long as it is not merged.'
history=$(git rev-list $brought $mine "$@" | git cat-file --batch-check='%(objectsize)' | awk '{ sum += $1 } END { print sum + 0 }') || exit 1
test "$history" -le ${history} || refuse \
  "Your branches and pull requests would have a history of $history bytes; they may have ${history}" \
  'Delete branches that you do not need, or write shorter messages.'
`
}
