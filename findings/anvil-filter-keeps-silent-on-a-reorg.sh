#!/usr/bin/env bash
# @foundry-rs/anvil 1.7.1
# Expected: a log filter whose client already has a log reports that log again, with "removed": true, when a reorg drops
#   its block; the field is there for that.
# Happens: after anvil_reorg the filter has no news at all, while eth_getLogs no longer finds the log.
# Why it matters: an indexer that takes deposits back on "removed" cannot be tested so, and one that follows filters only
#   keeps a deposit that never was. Compare block hashes instead of waiting to be told.
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

const [from] = await ask('eth_accounts')
// A contract that answers every call with an empty log.
const address = `0x${'55'.repeat(20)}`
await ask('anvil_setCode', address, '0x60006000a000')
const filter = await ask('eth_newFilter', { address })
await ask('eth_sendTransaction', { from, to: address })
await ask('anvil_mine')
const first = await ask('eth_getFilterChanges', filter)
await ask('anvil_reorg', 1, [])
const second = await ask('eth_getFilterChanges', filter)
const left = await ask('eth_getLogs', { address, fromBlock: '0x0' })
console.log(`logs reported: ${first.length}; after the reorg: ${second.length}; logs left on the chain: ${left.length}`)
assert.deepEqual([first.length, first[0]?.removed, second.length, left.length], [1, false, 0, 0])
EOF
node check.mjs "http://$(grep -o '127\.0\.0\.1:[0-9]*' anvil.log | head -n 1)"
