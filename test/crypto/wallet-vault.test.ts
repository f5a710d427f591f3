import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createWalletVault, UnknownMasterKeyError } from '../../server/crypto/wallet-vault.ts'

const masterKey = 'a master key of the operator'
const otherKey = 'another key of the operator'
const vault = createWalletVault(masterKey, 1)
const agent = 'agt_00000000000000000001'
const otherAgent = 'agt_00000000000000000002'

test('a wallet opens for its agent, in any letter case, with the private key of its address', () => {
  const wallet = vault.generate(agent)
  expect(privateKeyToAddress(vault.open(agent, wallet))).toBe(wallet.address)
  const lowercased = { ...wallet, address: wallet.address.toLowerCase() as typeof wallet.address }
  expect(vault.open(agent, lowercased)).toBe(vault.open(agent, wallet))
  expect(createWalletVault(masterKey, 1).open(agent, wallet)).toBe(vault.open(agent, wallet))
})

test('a wallet that 1.0.0 has stored opens', () => {
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

describe('after a rotation', () => {
  const wallet = vault.generate(agent)
  const key = vault.open(agent, wallet)
  const rotated = createWalletVault(otherKey, 2, masterKey)

  test('wallets of the previous key open, and new ones are sealed under the newest', () => {
    expect(rotated.open(agent, wallet)).toBe(key)
    const made = rotated.generate(agent)
    expect(made.keyVersion).toBe(2)
    expect(createWalletVault(otherKey, 2).open(agent, made)).toBe(rotated.open(agent, made))
    expect(() => vault.open(agent, made)).toThrow(UnknownMasterKeyError)
  })

  test('a wallet that was sealed anew needs the newest key alone, and is the same wallet', () => {
    const sealed = rotated.reseal(agent, wallet)
    expect(sealed).toMatchObject({ address: wallet.address, keyVersion: 2 })
    expect(createWalletVault(otherKey, 2).open(agent, sealed)).toBe(key)
    expect(() => vault.open(agent, sealed)).toThrow('master key version 2')
  })

  test('the version before the previous one opens no more', () => {
    const third = createWalletVault('the third key of the operator', 3, otherKey)
    expect(() => third.open(agent, wallet)).toThrow(UnknownMasterKeyError)
    expect(third.opens).toEqual([3, 2])
  })

  test.each([
    ['another version', { ...wallet, keyVersion: 2 }],
    ['another address', { ...wallet, address: vault.generate(agent).address }],
    ['another key', createWalletVault('a key that nobody knows here', 1).generate(agent)],
  ])('a row with %s opens and moves for nobody', (_, row) => {
    expect(() => rotated.open(agent, row)).toThrow('authenticate')
    expect(() => rotated.reseal(agent, row)).toThrow('authenticate')
  })

  test('a row of another agent opens and moves for nobody', () => {
    expect(() => rotated.open(otherAgent, wallet)).toThrow('authenticate')
    expect(() => rotated.reseal(otherAgent, wallet)).toThrow('authenticate')
  })
})
