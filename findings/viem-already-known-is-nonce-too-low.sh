#!/usr/bin/env bash
# viem 2.57.1
# Expected: a node's "already known" (it holds this very transaction, all is well) and its "nonce too low" (another
#   transaction took the nonce) give two kinds of error, as they call for opposite reactions.
# Happens: both become a NonceTooLowError, with the same advice to raise the nonce; only the raw text tells them apart.
# Why it matters: a payout whose first answer was lost is sent again and answered "already known". Whoever trusts the
#   class and raises the nonce pays twice.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline viem@2.57.1
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { createWalletClient, custom } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { mainnet } from 'viem/chains'

const account = privateKeyToAccount(generatePrivateKey())

async function classOf(message) {
  const request = async () => {
    throw Object.assign(new Error(message), { code: -32000 })
  }
  const wallet = createWalletClient({ account, chain: mainnet, transport: custom({ request }, { retryCount: 0 }) })
  const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
  const error = await wallet.sendTransaction({ to: account.address, gas: 21_000n, nonce: 3, ...fees }).catch((e) => e)
  return { name: error.cause.name, advice: error.shortMessage }
}

const known = await classOf('already known')
const low = await classOf('nonce too low: next nonce 5, tx nonce 3')
console.log(`"already known": ${known.name}; "nonce too low": ${low.name}`)
assert.equal(known.name, 'NonceTooLowError')
assert.deepEqual(known, low)
EOF
node check.mjs
