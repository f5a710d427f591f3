#!/usr/bin/env bash
# @foundry-rs/anvil 1.7.1
# Expected: `eth_call` without a gas price costs its caller nothing, with --optimism too, so that an account without ether can read.
# Happens: with --optimism the fee for data on L1 is taken from the caller, and without a caller from the zero address: once the
#   L1 block's storage holds a price, each read is refused as "Insufficient funds for gas * price + value".
# Why it matters: a test of what a rollup charges for data stops every reader of the same node. Give the zero address ether.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @foundry-rs/anvil@1.7.1
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'

const node = spawn(process.argv[2], ['--port', '0', '--optimism'])
try {
  let log = ''
  for await (const chunk of node.stdout) if ((log += chunk).includes('Listening on')) break
  const ask = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`http://${log.match(/127\.0\.0\.1:\d+/)[0]}`, { method: 'POST', headers, body })).json()
  }
  const zero = `0x${'0'.repeat(40)}`
  const word = (number) => `0x${number.toString(16).padStart(64, '0')}`
  const l1Block = '0x4200000000000000000000000000000000000015'
  const read = async () => (await ask('eth_call', { to: l1Block, data: '0x' }, 'latest')).error?.message ?? 'answered'
  const free = await read()
  await ask('anvil_setStorageAt', l1Block, word(1), word(30_000_000_000n))
  await ask('anvil_setStorageAt', l1Block, word(3), word(5227n << 96n))
  const priced = await read()
  await ask('anvil_setBalance', zero, word(10n ** 18n))
  const funded = await read()
  console.log(`a read before L1 has a price: ${free}; after: ${priced}; when the zero address has ether: ${funded}`)
  assert.equal(free, 'answered')
  assert.match(priced, /Insufficient funds/)
  assert.equal(funded, 'answered')
} finally {
  node.kill()
}
EOF
node check.mjs node_modules/@foundry-rs/anvil-*/bin/anvil
