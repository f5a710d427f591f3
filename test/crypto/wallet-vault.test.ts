import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createWalletVault } from '../../server/crypto/wallet-vault.ts'

const [masterKey, otherKey] = ['a master key of the operator', 'another key of the operator']
const vault = createWalletVault(masterKey, 1)
const [agent, otherAgent] = ['agt_00000000000000000001', 'agt_00000000000000000002']

test('a wallet opens for its agent, in any letter case, with the private key of its address', () => {
  const wallet = vault.generate(agent)
  expect(privateKeyToAddress(vault.open(agent, wallet))).toBe(wallet.address)
  const lowercased = { ...wallet, address: wallet.address.toLowerCase() as typeof wallet.address }
  expect(vault.open(agent, lowercased)).toBe(vault.open(agent, wallet))
  expect(createWalletVault(masterKey, 1).open(agent, wallet)).toBe(vault.open(agent, wallet))
})

test('a wallet that version 0.2.0 stored opens', () => {
  const stored = {
    address: '0x682e9f020612736A6fcAaB73ce0Ee05127BA136F',
    sealedKey: Buffer.from(
      '60b4d682296f22141fd652f4849d0ab765f4a04bb88f01f07fb35915d0d6941cfe289b9dcc7c34e176949862850274dda6794449c47145faa5ab2f0a',
      'hex',
    ),
    keyVersion: 3,
  } as const
  const vaultOfThen = createWalletVault('the master key of a service that ran version 0.2.0', 3)
  expect(vaultOfThen.open('agent_00000000000000000001', stored)).toBe(
    '0x1cc20f89235c472f3f5bf846f010074531ec21d312bf62544c10df5abe0a55a5',
  )
})

test('no two wallets share an address or a nonce', () => {
  const wallets = Array.from({ length: 20 }, () => vault.generate(agent))
  const nonces = wallets.map(({ sealedKey }) => sealedKey.subarray(0, 12).toString('hex'))
  for (const values of [wallets.map(({ address }) => address), nonces])
    expect(new Set(values).size).toBe(wallets.length)
})

describe('a wallet does not open', () => {
  const wallet = vault.generate(agent)
  const changed = (index: number) => {
    const sealedKey = Buffer.from(wallet.sealedKey)
    sealedKey[index] = (sealedKey[index] ?? 0) ^ 1
    return { ...wallet, sealedKey }
  }

  test('for another agent', () => {
    expect(() => vault.open(otherAgent, wallet)).toThrow()
  })

  test('under the address of another wallet', () => {
    expect(() => vault.open(agent, { ...wallet, address: vault.generate(agent).address })).toThrow()
  })

  test.each([
    ['nonce', 0],
    ['tag', 12],
    ['ciphertext', 28],
  ])('with one bit of its %s changed', (_, index) => {
    expect(() => vault.open(agent, changed(index))).toThrow()
  })

  test('under another master key, or the same key under another version', () => {
    expect(() => createWalletVault(otherKey, 1).open(agent, wallet)).toThrow()
    expect(() => createWalletVault(masterKey, 2).open(agent, wallet)).toThrow('master key version 1')
    expect(() => createWalletVault(masterKey, 2).open(agent, { ...wallet, keyVersion: 2 })).toThrow()
  })
})
