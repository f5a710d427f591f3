#!/usr/bin/env bash
# viem 2.57.1 and @foundry-rs/anvil 1.7.1
# Expected: getTransactionConfirmations tells how many blocks the chain has now, counted from the transaction's own.
# Happens: it subtracts from a block number that the client remembers for up to four seconds (its polling interval) and
#   offers no option against that. After nine more blocks it still says 1, while getBlock on the same client says 10.
# Why it matters: on a chain with blocks of a second or less, and in every test that mines blocks itself, "wait for N
#   confirmations" and "is this receipt from before the reorg" are decided on a stale head. Count from getBlock.
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
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { foundry } from 'viem/chains'

const client = createTestClient({ mode: 'anvil', chain: foundry, transport: http(process.argv[2]) })
  .extend(publicActions)
  .extend(walletActions)
const [account] = await client.getAddresses()
const hash = await client.sendTransaction({ account, to: account })
const { blockNumber } = await client.waitForTransactionReceipt({ hash })
const before = await client.getTransactionConfirmations({ hash })
await client.mine({ blocks: 9 })
const after = await client.getTransactionConfirmations({ hash })
const real = (await client.getBlock()).number - blockNumber + 1n
console.log(`confirmations: ${before}; after nine more blocks: ${after}, by getBlock: ${real}`)
assert.deepEqual([before, after, real], [1n, 1n, 10n])
EOF
node check.mjs "http://$(grep -o '127\.0\.0\.1:[0-9]*' anvil.log | head -n 1)"
