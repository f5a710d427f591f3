#!/usr/bin/env bash
# viem 2.57.1 and @foundry-rs/anvil 1.7.1
# Expected: verifyMessage for a contract wallet (ERC-1271) raises an error when the node cannot be asked, as getCode and
#   getBalance do; false means that the wallet said no.
# Happens: behind a node that answers 429 the same signature, good a moment before, is simply false: nothing is raised.
# Why it matters: a sign-in or a claim by a contract wallet is refused for good, and perhaps counted as an attempt to
#   cheat, because of somebody's rate limit. Ask the node something else first, or call isValidSignature oneself.
set -euo pipefail
dir=$(mktemp -d)
node=
trap 'if [ -n "$node" ]; then kill "$node"; wait "$node" || true; fi; rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline viem@2.57.1 @foundry-rs/anvil@1.7.1
./node_modules/@foundry-rs/anvil-*/bin/anvil --port 0 >anvil.log 2>&1 &
node=$!
for _ in $(seq 300); do
  grep -q 'Listening on' anvil.log && break
  sleep 0.1
done
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createPublicClient, createTestClient, http } from 'viem'
import { foundry } from 'viem/chains'

const address = `0x${'44'.repeat(20)}`
const healthy = createPublicClient({ chain: foundry, transport: http(process.argv[2]) })
// A wallet that consents to everything: it returns the four bytes that ERC-1271 wants.
const bytecode = '0x631626ba7e60e01b60005260206000f3'
await createTestClient({ mode: 'anvil', chain: foundry, transport: http(process.argv[2]) }).setCode({ address, bytecode })

const limited = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(429).end('{}'))
})
await new Promise((resolve) => limited.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${limited.address().port}`
const busy = createPublicClient({ chain: foundry, transport: http(url, { retryCount: 0 }) })

const question = { address, message: 'sign in', signature: `0x${'12'.repeat(65)}` }
const asked = await healthy.verifyMessage(question)
const unasked = await busy.verifyMessage(question)
const code = await busy.getCode({ address }).catch((error) => error.name)
limited.close()
console.log(`healthy node: ${asked}; node that answers 429: ${unasked}, while getCode raises ${code}`)
assert.equal(asked, true)
assert.equal(unasked, false)
assert.equal(code, 'HttpRequestError')
EOF
node check.mjs "http://$(grep -o '127\.0\.0\.1:[0-9]*' anvil.log | head -n 1)"
