#!/usr/bin/env bash
# @foundry-rs/anvil 1.7.1
# Expected: each block is later than its parent, as the protocol demands of every chain (a block with its parent's timestamp
#   is invalid).
# Happens: blocks that are mined within one second all carry that second.
# Why it matters: "the last block at or before this time" has several answers, a contract's "not twice in one block" that
#   compares timestamps blocks the next block too, and what is ordered by block time changes places. Order by number, and
#   set the time of each block in tests.
set -euo pipefail
dir=$(mktemp -d)
node=
trap 'if [ -n "$node" ]; then kill "$node"; wait "$node" || true; fi; rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @foundry-rs/anvil@1.7.1
./node_modules/@foundry-rs/anvil-*/bin/anvil --port 0 --no-mining >anvil.log 2>&1 &
node=$!
for _ in $(seq 300); do
  grep -q 'Listening on' anvil.log && break
  sleep 0.1
done
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'

async function ask(method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(process.argv[2], { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = await response.json()
  if (error) throw new Error(error.message)
  return result
}

for (let block = 0; block < 50; block++) await ask('anvil_mine')
const read = (number) => ask('eth_getBlockByNumber', `0x${number.toString(16)}`, false)
const blocks = await Promise.all(Array.from({ length: 50 }, (_, index) => read(index + 1)))
const numbers = new Set(blocks.map(({ number }) => number))
const times = new Set(blocks.map(({ timestamp }) => timestamp))
console.log(`${numbers.size} blocks mined one by one ${times.size < numbers.size ? 'share timestamps' : 'have a timestamp each'}`)
assert.equal(numbers.size, 50)
assert.ok(times.size < 50)
EOF
node check.mjs "http://$(grep -o '127\.0\.0\.1:[0-9]*' anvil.log | head -n 1)"
