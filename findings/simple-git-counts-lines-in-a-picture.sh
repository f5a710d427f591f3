#!/usr/bin/env bash
# simple-git 4.0.2
# Expected: diffSummary's insertions and deletions of a file are its added and removed lines, those of `git diff --numstat`.
# Happens: it counts the plus and minus signs of the picture that `git diff --stat` draws, which is 4096 columns wide at most. In larger
#   changes git scales them down: 6100 and 1100 become fewer. The totals beside the files are exact.
# Why it matters: a limit on the size of a change, a share by lines or a reviewer's choice of files reads too little of exactly the large
#   ones, and the files do not add up to the total. Hand `--numstat` over.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline simple-git@4.0.2
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { simpleGit } from 'simple-git'

mkdirSync('repository')
const git = simpleGit('repository')
await git.init()
await git.addConfig('user.name', 'Ada').addConfig('user.email', 'ada@example.org')
const lines = (name, count) => Array.from({ length: count }, (_, index) => `${name} ${index}\n`).join('')
for (const content of [lines('old', 1100), lines('new', 6100)]) {
  writeFileSync('repository/file', content)
  await git.add('file').commit('Change')
}
const summary = await git.diffSummary(['HEAD~1', 'HEAD'])
const exact = await git.diffSummary(['--numstat', 'HEAD~1', 'HEAD'])
const counts = ({ insertions, deletions }) => ({ insertions, deletions })
console.log('file:', counts(summary.files[0]), 'in all:', counts(summary), 'by --numstat:', counts(exact.files[0]))
assert.deepEqual(counts(summary), { insertions: 6100, deletions: 1100 })
assert.deepEqual(counts(exact.files[0]), { insertions: 6100, deletions: 1100 })
assert.ok(summary.files[0].insertions < 4096 && summary.files[0].deletions < 1100)
EOF
node check.mjs
