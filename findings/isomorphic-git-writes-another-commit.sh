#!/usr/bin/env bash
# isomorphic-git 1.44.19
# Expected: a commit that is read and written again unchanged is the same object, with the same hash, as for `git cat-file` and
#   `git hash-object`.
# Happens: readCommit knows parents, author, committer, message and signature, and drops every other header without a word. Written
#   again it is another commit.
# Why it matters: tools of today add headers (`change-id` of Jujutsu and GitButler, `mergetag` of git itself). A service that carries
#   such commits from one repository to another by this library pays for a hash that the founder has never seen.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline isomorphic-git@1.44.19
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import fs from 'node:fs'
import git from 'isomorphic-git'

const dir = 'repository'
fs.mkdirSync(dir)
await git.init({ fs, dir })
const tree = await git.writeTree({ fs, dir, tree: [] })
const head = [`tree ${tree}`, 'author Ada <ada@example.org> 1700000000 +0000', 'committer Ada <ada@example.org> 1700000000 +0000']
const written = (headers) =>
  git.writeObject({ fs, dir, type: 'commit', format: 'content', object: Buffer.from(`${[...head, ...headers].join('\n')}\n\nFix\n`) })
const again = async (oid) => git.writeCommit({ fs, dir, commit: (await git.readCommit({ fs, dir, oid })).commit })

const plain = await written([])
const withHeader = await written(['change-id zxwvutsrqponmlkzxwvutsrqponmlkzx'])
console.log('plain:', plain, '→', await again(plain))
console.log('with change-id:', withHeader, '→', await again(withHeader))
assert.equal(await again(plain), plain)
assert.notEqual(await again(withHeader), withHeader)
// What comes out is the commit without it.
assert.equal(await again(withHeader), plain)
EOF
node check.mjs
