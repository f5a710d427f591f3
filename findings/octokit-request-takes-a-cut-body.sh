#!/usr/bin/env bash
# @octokit/request 10.0.14
# Expected: a response whose connection breaks off in the middle of its body rejects, as fetch itself does when the body is read:
#   nobody knows what the rest of it said.
# Happens: it resolves with status 200. The data of a text body, such as a diff, is an empty string, whatever had arrived, and so is
#   that of a JSON body: `data.number` is undefined where an object was meant.
# Why it matters: a reviewer of pull requests is shown that a pull request changes nothing, and may keep that for its commit. Check
#   the type of the data, and the number of files against `changed_files`, or read the body yourself with
#   `request: { parseSuccessResponseBody: false }`.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @octokit/request@10.0.14
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { request } from '@octokit/request'

const bodies = {
  '/diff': ['application/vnd.github.v3.diff; charset=utf-8', 'diff --git a/one b/one\n--- a/one\n+++ b/one\n'],
  '/json': ['application/json; charset=utf-8', '{"number": 7, "title": "Add'],
}
const server = createServer(({ url }, response) => {
  const [type, half] = bodies[url]
  response.writeHead(200, { 'content-type': type, 'content-length': 1000 })
  response.write(half, () => response.destroy())
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${server.address().port}`

for (const path of Object.keys(bodies)) {
  const byFetch = await fetch(baseUrl + path).then((response) => response.text()).then(() => 'resolved', () => 'rejected')
  const { status, data } = await request(`GET ${path}`, { baseUrl })
  console.log(`${path}: fetch ${byFetch}; request ${status} ${JSON.stringify(data)}`)
  assert.equal(byFetch, 'rejected')
  assert.deepEqual({ status, data }, { status: 200, data: '' })
}
server.close()
EOF
node check.mjs
