#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0 and @modelcontextprotocol/client 2.4.0 (with zod 4.6.7)
# Expected: a tool whose schema cannot be written as JSON Schema (z.bigint() for an amount of wei, say) is refused where it
#   is registered, or is missing from the list of tools.
# Happens: it registers without complaint, and from then on tools/list fails as a whole: no client sees any tool, while a
#   call of one by its name still works.
# Why it matters: one amount typed like the chain library's takes an agent's whole tool set away, and a test that only calls
#   tools does not notice. Amounts travel as strings; list the tools in a test.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const server = new McpServer({ name: 'market', version: '1.0.0' })
const answer = async () => ({ content: [{ type: 'text', text: 'found' }] })
server.registerTool('find', { inputSchema: z.object({ text: z.string() }) }, answer)
server.registerTool('pay', { inputSchema: z.object({ wei: z.bigint() }) }, answer)
const client = new Client({ name: 'agent', version: '1.0.0' })
const [one, other] = InMemoryTransport.createLinkedPair()
await Promise.all([server.connect(one), client.connect(other)])
const called = await client.callTool({ name: 'find', arguments: { text: 'x' } })
const list = await client.listTools().catch((error) => error)
await client.close()
console.log(`find: ${called.content[0].text}; list of tools: ${list.message}`)
assert.equal(called.content[0].text, 'found')
assert.ok(list instanceof Error)
assert.match(list.message, /BigInt cannot be represented/)
EOF
node check.mjs
