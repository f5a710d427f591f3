#!/usr/bin/env bash
# light-my-request 6.8.1, by which fastify's `inject` calls routes inside a process
# Expected: the events of an injected response are those of node:http: `finish` once, then `close`, with `writableFinished` true.
# Happens: `finish` comes twice. At the first one and at `close`, `writableFinished` is false; it is true at the second `finish` only,
#   which comes after `close`.
# Why it matters: an MCP server that passes tools on to its HTTP routes by `inject` logs each of its own calls as one whose client gave
#   up, if it tells by `writableFinished` at `close`, as works for requests from outside; what counts at `finish` counts twice.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline light-my-request@6.8.1
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import inject from 'light-my-request'

const watch = (events) => (_request, response) => {
  for (const name of ['finish', 'close'])
    response.on(name, () => events.push(`${name} ${response.writableFinished}`))
  response.end('done')
}

const served = []
const server = createServer(watch(served)).listen(0, '127.0.0.1')
await once(server, 'listening')
await fetch(`http://127.0.0.1:${server.address().port}`).then((response) => response.text())
server.closeAllConnections()
server.close()
await once(server, 'close')

const injected = []
await inject(watch(injected), { method: 'GET', url: '/' })
await new Promise((resolve) => setTimeout(resolve, 200))

console.log('node:http:', served.join(', '))
console.log('light-my-request:', injected.join(', '))
assert.deepEqual(served, ['finish true', 'close true'])
assert.deepEqual(injected, ['finish false', 'close false', 'finish true'])
EOF
node check.mjs
