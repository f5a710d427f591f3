#!/usr/bin/env bash
# @octokit/plugin-retry 8.1.1 (with @octokit/core 7.0.8)
# Expected: a POST whose answer is 502 is not sent again without being asked: the server may well have done the work, and
#   only a GET or PUT is safe to repeat.
# Happens: the plugin repeats it three times like any other request. A server that stores the comment and whose proxy then
#   fails holds four comments.
# Why it matters: an agent's remark, review or check run appears up to four times, each with its mail to the maintainers.
#   Give such calls `request: { retries: 0 }` and look for what exists before trying again.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @octokit/plugin-retry@8.1.1 @octokit/core@7.0.8
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { Octokit } from '@octokit/core'
import { retry } from '@octokit/plugin-retry'

let stored = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    stored++
    response.writeHead(502, { 'content-type': 'application/json; charset=utf-8' }).end('{"message":"Bad Gateway"}')
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const silent = () => undefined
const octokit = new (Octokit.plugin(retry))({
  baseUrl: `http://127.0.0.1:${server.address().port}`,
  log: { debug: silent, info: silent, warn: silent, error: silent },
  // Shortens the waits between the attempts, not their number.
  retry: { retryAfterBaseValue: 20 },
})
async function comment(request) {
  stored = 0
  const target = { owner: 'a', repo: 'b', issue_number: 1, body: 'Paid.', request }
  await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', target).catch(silent)
  return stored
}
const usual = await comment({})
const once = await comment({ retries: 0 })
server.close()
console.log(`one comment posted, stored ${usual} times; with retries: 0, ${once} time`)
assert.deepEqual([usual, once], [4, 1])
EOF
node check.mjs
