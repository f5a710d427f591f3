#!/usr/bin/env bash
# eventsource 4.1.1 (with eventsource-parser 3.1.1), beside the EventSource of undici 7.30.2
# Expected: as the standard of server-sent events says, an id holds until another comes. A block with nothing but an id moves it too, and
#   a message without an id of its own carries the last one.
# Happens: an id without data is forgotten, and a reconnection asks for what comes after an older one. A message without an id carries
#   "". undici does both as the standard says.
# Why it matters: a feed that moves its cursor past what does not concern a subscriber sends all of that again after each break, and a
#   client that keeps lastEventId of what it has handled begins at the start. Send data with each id, and an id with all data.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline eventsource@4.1.1 eventsource-parser@3.1.1 undici@7.30.2
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { EventSource as OfPackage } from 'eventsource'
import { EventSource as OfUndici } from 'undici'

async function follow(Source) {
  const asked = []
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id'])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (asked.length === 1) response.end('retry: 50\nid: 1\ndata: paid\n\ndata: noted\n\nid: 2\n\n')
    else response.write('data: back\n\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const source = new Source(`http://127.0.0.1:${server.address().port}`)
  const messages = []
  await new Promise((resolve) => {
    source.onmessage = ({ data, lastEventId }) => messages.push(`${data} ${lastEventId}`) === 3 && resolve()
  })
  source.close()
  server.closeAllConnections()
  server.close()
  return { asked: asked[1], messages }
}
const [ofPackage, ofUndici] = [await follow(OfPackage), await follow(OfUndici)]
console.log('eventsource:', ofPackage, 'undici:', ofUndici)
assert.deepEqual(ofPackage, { asked: '1', messages: ['paid 1', 'noted ', 'back '] })
assert.deepEqual(ofUndici, { asked: '2', messages: ['paid 1', 'noted 1', 'back 2'] })
EOF
node check.mjs
