#!/usr/bin/env bash
# openapi-fetch 0.17.0
# Expected: a response of 4xx or 5xx has an `error`, so that `const { data, error } = await client.POST(...)` and `if (error)` see it.
# Happens: without a body it has none, or an empty string where no length was sent, and no `data` either: the very result of a 202 that
#   worked.
# Why it matters: gateways and rate limits send empty bodies. A payout that a 502 or 429 refused counts as asked for, and no log has
#   it. Look at `response.ok`.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline openapi-fetch@0.17.0
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import createClient from 'openapi-fetch'

const server = createServer((request, response) => {
  response.statusCode = Number(request.url.slice(1, 4))
  if (request.url.endsWith('json')) response.setHeader('content-type', 'application/json').end('{"message":"No"}')
  else if (request.url.endsWith('chunked')) response.write('', () => response.end())
  else response.end()
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const client = createClient({ baseUrl: `http://127.0.0.1:${server.address().port}` })
const results = []
for (const path of ['/202', '/502', '/429', '/502chunked', '/502json']) {
  const { data, error, response } = await client.POST(path)
  console.log(path, { data, error, ok: response.ok })
  results.push([data, error, response.ok])
}
server.close()
const none = undefined
assert.deepEqual(results.slice(0, 3), [[none, none, true], [none, none, false], [none, none, false]])
assert.deepEqual(results.slice(3), [[none, '', false], [none, { message: 'No' }, false]])
EOF
node check.mjs
