#!/usr/bin/env bash
# viem 2.57.1
# Expected: "gas required exceeds allowance (N)" is told apart from a revert of the contract: geth says it when the
#   sender's balance buys fewer than the N units of gas that the call would take.
# Happens: estimateGas raises an ExecutionRevertedError, "Execution reverted with reason: gas required ...", the very
#   class of a contract's own refusal.
# Why it matters: a service that treats a revert as final (this payout can never succeed) gives a payment up because its
#   hot wallet was low on gas money for a minute.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline viem@2.57.1
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { createPublicClient, custom, ExecutionRevertedError } from 'viem'
import { mainnet } from 'viem/chains'

const to = `0x${'11'.repeat(20)}`

async function estimate(code, message) {
  const request = async () => {
    throw Object.assign(new Error(message), { code })
  }
  const node = createPublicClient({ chain: mainnet, transport: custom({ request }, { retryCount: 0 }) })
  return node.estimateGas({ account: to, to }).catch((error) => error.cause)
}

const poor = await estimate(-32000, 'gas required exceeds allowance (21000)')
const refused = await estimate(3, 'execution reverted')
console.log(`${poor.name}: ${poor.shortMessage}`)
assert.ok(refused instanceof ExecutionRevertedError)
assert.ok(poor instanceof ExecutionRevertedError)
EOF
node check.mjs
