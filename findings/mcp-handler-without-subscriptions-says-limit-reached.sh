#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0
# Expected: a server that has nothing to subscribe to (no listChanged, no resources) and allows no subscription
#   (createMcpHandler with maxSubscriptions 0) answers subscriptions/listen as it does any method that it lacks: 404, -32601.
# Happens: 200 with -32603 "Subscription limit reached", as if a client had only to wait for a place. prompts/list of the same server
#   is 404, -32601.
# Why it matters: -32603 is an internal error, which clients repeat. Answer the method yourself before the handler sees it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @modelcontextprotocol/server@2.4.0
cat >check.mjs <<'END'
import assert from 'node:assert/strict'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'

const info = { name: 'market', version: '1.0.0' }
const handler = createMcpHandler(
  () => {
    const server = new Server(info, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({ tools: [] }))
    return server
  },
  { legacy: 'reject', maxSubscriptions: 0 },
)
const version = '2026-07-28'
const _meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': info,
  'io.modelcontextprotocol/clientCapabilities': {},
}
async function ask(method) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta } })
  const response = await handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
  return [response.status, JSON.parse(await response.text()).error.code]
}
const [lacking, listening] = [await ask('prompts/list'), await ask('subscriptions/listen')]
console.log('prompts/list', lacking, 'subscriptions/listen', listening)
assert.deepEqual(lacking, [404, -32601])
assert.deepEqual(listening, [200, -32603])
END
node check.mjs
