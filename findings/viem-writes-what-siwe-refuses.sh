#!/usr/bin/env bash
# viem 2.57.1 (viem/siwe) and siwe 3.0.0 (with ethers 6.17.0)
# Expected: a message that createSiweMessage makes is one of ERC-4361, so that every other reader of that standard takes it. What cannot be
#   said in one is an error, as a line break in the statement is.
# Happens: any other statement goes through. The standard has no percent sign, quotation mark or letter beyond ASCII in it, so the readers
#   that were made from its grammar refuse the message, signature and all. viem reads its own message back without a word.
# Why it matters: "I accept the fee of 5 %" signs in at a server with viem, and nowhere else. Who moves between the two learns it from
#   wallets that cannot sign in any more.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline viem@2.57.1 siwe@3.0.0 ethers@6.17.0
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { SiweMessage } from 'siwe'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'

const fields = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 8453,
  domain: 'market.example',
  nonce: 'abcdef1234567890',
  uri: 'https://market.example/login',
  version: '1',
}
const readBySiwe = (text) => {
  try {
    return new SiweMessage(text).statement
  } catch {
    return 'refused'
  }
}
const statements = ['I accept the fee', 'I accept the fee of 5 %', 'I accept the "terms"', 'J’accepte les frais']
const read = statements.map((statement) => {
  const message = createSiweMessage({ ...fields, statement })
  return [parseSiweMessage(message).statement, readBySiwe(message)]
})
for (const [viem, siwe] of read) console.log(`viem: ${viem} | siwe: ${siwe}`)
assert.deepEqual(read.map(([viem]) => viem), statements)
assert.deepEqual(read.map(([, siwe]) => siwe), [statements[0], 'refused', 'refused', 'refused'])
assert.throws(() => createSiweMessage({ ...fields, statement: 'a\nb' }))
EOF
node check.mjs
