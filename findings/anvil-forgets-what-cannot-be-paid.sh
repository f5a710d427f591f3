#!/usr/bin/env bash
# @foundry-rs/anvil 1.7.1
# Expected: an account with 10,000 ETH that sends two transactions of 6,000 ETH each is told with the second that its
#   funds do not suffice, or the second waits in the pool until they do.
# Happens: both are accepted and get a hash; the next block takes the first, and the second is gone from the pool without
#   receipt, error or trace.
# Why it matters: a batch of payouts from one wallet is taken in whole and paid in part, and whoever waits for the receipts
#   waits for ever. An accepted transaction needs a deadline and a look at the nonce.
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
const value = `0x${(6000n * 10n ** 18n).toString(16)}`
const send = (nonce) => ask('eth_sendTransaction', { from, to, nonce, value, gas: '0x5208' })
const hashes = [await send('0x0'), await send('0x1')]
const { pending } = await ask('txpool_status')
await ask('anvil_mine')
const [first, second] = await Promise.all(hashes.map((hash) => ask('eth_getTransactionReceipt', hash)))
const lost = await ask('eth_getTransactionByHash', hashes[1])
const pool = await ask('txpool_status')
console.log(`accepted: ${Number(pending)}; mined: ${first?.status}, ${second}; second transaction: ${lost}`)
assert.deepEqual([pending, first?.status, second, lost], ['0x2', '0x1', null, null])
assert.deepEqual(pool, { pending: '0x0', queued: '0x0' })
EOF
node check.mjs "http://$(grep -o '127\.0\.0\.1:[0-9]*' anvil.log | head -n 1)"
