#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0 and @modelcontextprotocol/client 2.4.0 (with zod 4.6.7)
# Expected: a result that the server has checked against a tool's output schema passes the check of the same SDK's client.
# Happens: the server checks with zod, which drops unknown fields and fills defaults in, but sends what the tool returned.
#   The client checks that by the listed JSON Schema, which forbids unknown fields and requires the defaults, and throws.
# Why it matters: a tool that returns a database row with one more column has paid, claimed or merged, and the agent is told
#   that the call failed and calls again. Send schema.parse(row), not the row.
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

let done = 0
const server = new McpServer({ name: 'market', version: '1.0.0' })
const outputSchema = z.object({ status: z.string() })
for (const [name, row] of [['claim', { status: 'claimed' }], ['pay', { status: 'paid', updated_at: 'now' }]])
  server.registerTool(name, { inputSchema: z.object({}), outputSchema }, async () => {
    done++
    return { content: [], structuredContent: row }
  })
const client = new Client({ name: 'agent', version: '1.0.0' })
const [one, other] = InMemoryTransport.createLinkedPair()
await Promise.all([server.connect(one), client.connect(other)])
await client.listTools()
const claim = await client.callTool({ name: 'claim', arguments: {} })
const pay = await client.callTool({ name: 'pay', arguments: {} }).catch((error) => error)
await client.close()
console.log(`${done} calls done; claim: ${JSON.stringify(claim.structuredContent)}; pay: ${pay.message}`)
assert.equal(done, 2)
assert.deepEqual(claim.structuredContent, { status: 'claimed' })
assert.ok(pay instanceof Error)
assert.match(pay.message, /does not match the tool's output schema.*additional properties/)
EOF
node check.mjs
