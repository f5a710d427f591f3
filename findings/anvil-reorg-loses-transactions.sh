#!/usr/bin/env bash
# @foundry-rs/anvil 1.7.1
# Expected: when a reorganisation drops a block, its transactions go back into the pool and are mined again, as on a
#   public network, where a short reorg seldom changes more than a payment's block.
# Happens: after anvil_reorg the transaction is nowhere: no receipt, no transaction, an empty pool, also after further
#   blocks; and the sender's nonce is free again.
# Why it matters: a test with it shows only the rare case (the payment is lost, send again), never the common one (it
#   returns by itself in another block), in which code that pays anew with a fresh nonce pays twice.
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
const hash = await ask('eth_sendTransaction', { from, to, value: '0x1' })
await ask('anvil_mine')
const mined = await ask('eth_getTransactionReceipt', hash)
await ask('anvil_reorg', 1, [])
await ask('anvil_mine', '0x2')
const after = {
  receipt: await ask('eth_getTransactionReceipt', hash),
  transaction: await ask('eth_getTransactionByHash', hash),
  pool: await ask('txpool_status'),
  nonce: await ask('eth_getTransactionCount', from, 'pending'),
}
console.log(`before: status ${mined?.status}; after the reorg: ${JSON.stringify(after)}`)
assert.equal(mined?.status, '0x1')
assert.deepEqual(after, { receipt: null, transaction: null, pool: { pending: '0x0', queued: '0x0' }, nonce: '0x0' })
EOF
node check.mjs "http://$(grep -o '127\.0\.0\.1:[0-9]*' anvil.log | head -n 1)"
