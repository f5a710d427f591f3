#!/usr/bin/env bash
# standardwebhooks 1.1.1
# Expected: verify(body, request.headers) works with the Headers of a fetch Request, which is what most servers of today hand
#   to their routes.
# Happens: "Missing required headers", though all three are there: the library lists the object's own keys, and Headers has
#   none. With a plain object of the same headers the same message is good.
# Why it matters: a receiver written in JavaScript refuses every delivery and blames the sender for headers that were sent.
#   Documentation for receivers should show Object.fromEntries(request.headers).
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline standardwebhooks@1.1.1
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(randomBytes(32).toString('base64'))
const body = JSON.stringify({ type: 'bounty.paid' })
const now = new Date()
const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(now / 1000)),
  'webhook-signature': webhook.sign('msg_1', now, body),
}
const request = new Request('http://localhost/hook', { method: 'POST', headers, body })
function verify(given) {
  try {
    return webhook.verify(body, given).type
  } catch (error) {
    return error.message
  }
}
const direct = verify(request.headers)
const plain = verify(Object.fromEntries(request.headers))
console.log(`Headers: ${direct}; plain object: ${plain}`)
assert.equal(direct, 'Missing required headers')
assert.equal(plain, 'bounty.paid')
EOF
node check.mjs
