#!/usr/bin/env bash
# x402 1.2.0
# Expected: a price in dollars becomes whole units of USDC, which has 6 digits: "$2.01" is 2010000, as "$2.00" is 2000000.
# Happens: it is multiplied as a floating-point number and written as it comes: 2009999.9999999998. The package's own schema of what a
#   server demands refuses that. So it is with 295 of the 10,000 prices from $0.01 to $100.00.
# Why it matters: a paid route works at one price and cannot be paid by any client at the next, which no test of the other shows. Give
#   prices in units, as { amount: '2010000', asset }.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline x402@1.2.0
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { processPriceToAtomicAmount } from 'x402/shared'
import { PaymentRequirementsSchema } from 'x402/types'

function demand(price) {
  const { maxAmountRequired, asset } = processPriceToAtomicAmount(price, 'base')
  const payTo = '0x1111111111111111111111111111111111111111'
  const text = { resource: 'https://market.example/claims', description: '', mimeType: '' }
  const all = { scheme: 'exact', network: 'base', maxAmountRequired, payTo, maxTimeoutSeconds: 60, asset: asset.address, ...text }
  return { units: maxAmountRequired, valid: PaymentRequirementsSchema.safeParse(all).success, asset }
}
const cents = Array.from({ length: 10_000 }, (_, index) => `$${((index + 1) / 100).toFixed(2)}`)
const refused = cents.filter((price) => !demand(price).valid)
for (const price of ['$2.00', '$2.01']) console.log(price, demand(price).units, demand(price).valid ? 'valid' : 'refused')
console.log(`refused: ${refused.length} of ${cents.length}`)
const { asset } = demand('$2.00')
assert.deepEqual(demand('$2.00'), { units: '2000000', valid: true, asset })
assert.deepEqual(demand('$2.01'), { units: '2009999.9999999998', valid: false, asset })
assert.equal(refused.length, 295)
assert.deepEqual(demand({ amount: '2010000', asset }), { units: '2010000', valid: true, asset })
EOF
node check.mjs
