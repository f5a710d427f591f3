#!/usr/bin/env bash
# @foundry-rs/anvil 1.7.1
# Expected: as on a public network, a transaction with a used nonce replaces the waiting one only if it raises both its
#   fee cap and its tip by a tenth; else the node says "replacement transaction underpriced".
# Happens: one wei more of fee cap, with the same tip, is enough, and the first transaction is gone.
# Why it matters: the code that speeds a stuck payout up passes every test here with any bump at all, and fails on the
#   first real network. Only a stand-in that refuses less than ten per cent can test it.
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

const [from, to] = await ask('eth_accounts')
const hex = (value) => `0x${value.toString(16)}`
const send = (maxFeePerGas) =>
  ask('eth_sendTransaction', {
    from, to, nonce: '0x0', gas: '0x5208', maxFeePerGas: hex(maxFeePerGas), maxPriorityFeePerGas: hex(10n ** 10n),
  })
const first = await send(10n ** 11n)
const second = await send(10n ** 11n + 1n)
await ask('anvil_mine')
const receipt = await ask('eth_getTransactionReceipt', second)
const replaced = await ask('eth_getTransactionByHash', first)
console.log(`one wei more: status ${receipt?.status}; the first transaction: ${replaced}`)
assert.equal(receipt?.status, '0x1')
assert.equal(replaced, null)
EOF
node check.mjs "http://$(grep -o '127\.0\.0\.1:[0-9]*' anvil.log | head -n 1)"
