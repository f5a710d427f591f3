#!/usr/bin/env bash
# @octokit/plugin-throttling 11.0.5 (with @octokit/core 7.0.8)
# Expected: after "You have exceeded a secondary rate limit" with Retry-After, the client sends nothing until that time is
#   over: the limit is the account's, and GitHub threatens those who go on with a ban.
# Happens: only the refused request waits. All others go out at once, in the middle of the forbidden time.
# Why it matters: a busy service keeps knocking while it believes that the plugin holds it back, and the short limit grows.
#   Keep the time of the last refusal per installation oneself and hold every request until then.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @octokit/plugin-throttling@11.0.5 @octokit/core@7.0.8
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { Octokit } from '@octokit/core'
import { throttling } from '@octokit/plugin-throttling'

const order = []
let refused
const refusal = new Promise((resolve) => {
  refused = resolve
})
const server = createServer((request, response) => {
  order.push(request.url)
  const type = { 'content-type': 'application/json; charset=utf-8' }
  if (order.length > 1) return response.writeHead(200, type).end('{}')
  const body = JSON.stringify({ message: 'You have exceeded a secondary rate limit.' })
  response.writeHead(403, { ...type, 'retry-after': '3' }).end(body)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const silent = () => undefined
const octokit = new (Octokit.plugin(throttling))({
  baseUrl: `http://127.0.0.1:${server.address().port}`,
  log: { debug: silent, info: silent, warn: silent, error: silent },
  throttle: {
    onRateLimit: () => true,
    onSecondaryRateLimit: () => {
      refused()
      return true
    },
  },
})
const first = octokit.request('GET /refused')
await refusal
await Promise.all([first, octokit.request('GET /second'), octokit.request('GET /third')])
server.close()
console.log(`order of arrival: ${order.join(', ')}`)
assert.deepEqual(order.slice(1, 3).sort(), ['/second', '/third'])
assert.equal(order[3], '/refused')
EOF
node check.mjs
