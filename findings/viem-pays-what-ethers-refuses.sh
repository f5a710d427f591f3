#!/usr/bin/env bash
# viem 2.57.1, beside ethers 6.17.0
# Expected: an amount with more digits than the token has is an error, as it is for ethers' parseUnits, or is cut off: a
#   parsed amount is never more than what was written.
# Happens: viem's parseUnits rounds it half up without a word. "1.9999999" of a coin with 6 digits is 2.000000, and "0.5"
#   of a token without any is 1.
# Why it matters: a balance that another tool computed to more digits is parsed to one unit more than there is, and
#   "withdraw everything" fails at the contract; a reward of half a token that is none becomes a whole one. Count the
#   digits before parsing.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline viem@2.57.1 ethers@6.17.0
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { parseUnits as inEthers } from 'ethers'
import { parseUnits as inViem } from 'viem'

for (const [amount, digits, rounded] of [
  ['1.9999999', 6, 2_000_000n],
  ['0.0000005', 6, 1n],
  ['0.5', 0, 1n],
]) {
  console.log(`${amount} with ${digits} digits: viem ${inViem(amount, digits)}, ethers an error`)
  assert.equal(inViem(amount, digits), rounded)
  assert.throws(() => inEthers(amount, digits), { code: 'NUMERIC_FAULT' })
}
assert.equal(inViem('1.5', 6), inEthers('1.5', 6))
EOF
node check.mjs
