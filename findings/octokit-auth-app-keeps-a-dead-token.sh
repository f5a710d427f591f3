#!/usr/bin/env bash
# @octokit/auth-app 8.3.1 (with @octokit/core 7.0.8)
# Expected: an installation token that the API answers with 401 is thrown away, and the next request asks for a new one:
#   a token dies early when somebody revokes it or the app's permissions change.
# Happens: the token stays in the cache for the rest of its hour. Every request goes out with it and fails, and none asks
#   for another, though one with "refresh" would work at once.
# Why it matters: a service that merges and reviews on others' behalf is cut off from a repository for up to an hour by one
#   revoked token. After a 401, call octokit.auth({ type: 'installation', refresh: true }).
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @octokit/auth-app@8.3.1 @octokit/core@7.0.8
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { createAppAuth } from '@octokit/auth-app'
import { Octokit } from '@octokit/core'

let issued = 0
let dead
const server = createServer((request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
  if (!request.url.endsWith('/access_tokens'))
    return request.headers.authorization === dead ? answer(401, { message: 'Bad credentials' }) : answer(200, {})
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  answer(201, { token: `token-${++issued}`, expires_at, permissions: {}, repository_selection: 'all' })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const silent = () => undefined
const octokit = new Octokit({
  baseUrl: `http://127.0.0.1:${server.address().port}`,
  log: { debug: silent, info: silent, warn: silent, error: silent },
  authStrategy: createAppAuth,
  auth: { appId: 1, privateKey, installationId: 1 },
})
const status = () => octokit.request('GET /repos/a/b').then((answer) => answer.status, (error) => error.status)
const seen = [await status()]
dead = 'token token-1'
seen.push(await status(), await status(), await status())
const before = issued
await octokit.auth({ type: 'installation', refresh: true })
seen.push(await status())
server.close()
console.log(`statuses: ${seen}; tokens asked for before the refresh: ${before}`)
assert.deepEqual(seen, [200, 401, 401, 401, 200])
assert.equal(before, 1)
EOF
node check.mjs
