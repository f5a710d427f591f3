#!/usr/bin/env bash
# @foundry-rs/anvil 1.7.1
# Expected: with --hardfork osaka a transaction of 20 million gas is refused: since that fork (EIP-7825) no transaction may
#   ask for more than 16,777,216.
# Happens: it is accepted and mined. Only with --enable-tx-gas-limit besides does the chain of that fork keep to its rule.
# Why it matters: a batch of payouts, or the creation of a project with all its contracts, fits into every test and is refused
#   by each public network. Start test chains with the flag.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @foundry-rs/anvil@1.7.1
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'

async function send(...options) {
  const node = spawn(process.argv[2], ['--port', '0', '--hardfork', 'osaka', ...options])
  try {
    let log = ''
    for await (const chunk of node.stdout) if ((log += chunk).includes('Listening on')) break
    const ask = async (method, ...params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`http://${log.match(/127\.0\.0\.1:\d+/)[0]}`, { method: 'POST', headers, body })).json()
    }
    const [from] = (await ask('eth_accounts')).result
    const { result, error } = await ask('eth_sendTransaction', { from, to: from, gas: '0x1312d00' })
    return error?.message ?? `accepted ${result.slice(0, 2)}`
  } finally {
    node.kill()
  }
}
const usual = await send()
const strict = await send('--enable-tx-gas-limit')
console.log(`20 million gas: ${usual}; with the flag: ${strict}`)
assert.equal(usual, 'accepted 0x')
assert.doesNotMatch(strict, /^accepted/)
EOF
node check.mjs node_modules/@foundry-rs/anvil-*/bin/anvil
