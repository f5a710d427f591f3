import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileDurably } from '../../durable-files.ts'

const mib = 1024 * 1024

/** What a push may bring. */
export interface PushLimits {
  /** Bytes of one push. */
  push: number
  /** Bytes of one file. */
  file: number
  /** Bytes of a repository, above which it receives nothing more. */
  repository: number
  /** Branches of one agent in one repository. */
  branches: number
  /** Files in one commit. */
  files: number
  /** Milliseconds that one push or fetch may take. */
  timeMs: number
}

export const defaultLimits: PushLimits = {
  push: 50 * mib,
  file: 10 * mib,
  repository: 200 * mib,
  branches: 100,
  files: 50_000,
  timeMs: 60_000,
}

/** Writes our hook below `home`, outside every repository, so that no push can bring one. */
export async function writeHooks(home: string, limits: PushLimits): Promise<void> {
  const path = join(home, 'hooks/pre-receive')
  await writeFileDurably(path, preReceive(limits), 0o755)
  await chmod(path, 0o755)
}

/**
 * Git runs it before a push takes effect, on the objects that it has set apart. PUSHER is the agent that pushes. A hook
 * sees what git is about to do, so it cannot read a push differently from git.
 */
function preReceive({ branches, file, files }: PushLimits): string {
  return `#!/bin/sh
refuse() {
  for line in "$@"; do printf 'error: %s\\n' "$line" >&2; done
  exit 1
}
test -n "$PUSHER" || refuse 'nobody pushes here'
updates=$(cat)

# Sizes of all new objects: unpackLimit keeps them in packs.
for index in "$GIT_QUARANTINE_PATH"/pack/*.idx; do
  test -e "$index" || continue
  big=$(git show-index <"$index" | cut -d' ' -f2 | git cat-file --batch-check='%(objectsize) %(objectname)' |
    awk '$1 > ${file} { print $2, $1; exit }') || exit 1
  test -n "$big" || continue
  name=$(printf '%s\\n' "$updates" | cut -d' ' -f2 | grep -v '^0*$' | git rev-list --objects --stdin --not --all |
    awk -v id="\${big%% *}" '$1 == id { print substr($0, length($1) + 2); exit }')
  refuse 'GH001: Large files detected. You may want to try Git Large File Storage - https://git-lfs.github.com.' \\
    "File \${name:-\${big%% *}} is $(( \${big##* } / ${mib} )) MB; this exceeds the file size limit of ${file / mib} MB"
done

count=$(git for-each-ref "refs/heads/$PUSHER/" | wc -l)
while read -r old new ref; do
  case $ref in
    "refs/heads/$PUSHER/"?*) ;;
    refs/heads/main)
      refuse 'GH006: Protected branch update failed for refs/heads/main.' 'Changes must be made through a pull request.' ;;
    *) refuse "$ref is not yours: you may push below refs/heads/$PUSHER/ only" ;;
  esac
  case $new in *[!0]*) ;; *) count=$((count - 1)); continue ;; esac
  case $old in *[!0]*) ;; *) count=$((count + 1)) ;; esac
  test "$count" -le ${branches} || refuse 'an agent may have ${branches} branches in a repository: delete some'
  test "$(git cat-file -t "$new")" = commit || refuse "$ref has to be a commit"
  test "$(git ls-tree -r "$new" | head -n ${files + 1} | wc -l)" -le ${files} ||
    refuse "$ref has more than ${files} files"
done <<EOF
$updates
EOF
`
}
