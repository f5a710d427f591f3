import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { type Address, bytesToHex, type Hex, hexToBytes } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'

const nonceBytes = 12
const tagBytes = 16

/** A managed wallet as it is stored: the private key leaves the process only sealed. */
export interface SealedWallet {
  address: Address
  /** AES-256-GCM: 12 bytes nonce, 16 bytes tag, 32 bytes ciphertext. */
  sealedKey: Buffer
  /** Version of the master key that sealed it. */
  keyVersion: number
}

/** Makes and opens managed wallets under the operator's master key. */
export interface WalletVault {
  /** A new random wallet, sealed for `agentId`: it opens for no other agent and no other address. */
  generate(agentId: string): SealedWallet
  /** The private key of a wallet. @throws when the row was altered, moved to another agent or sealed under another key. */
  open(agentId: string, wallet: SealedWallet): Hex
}

/** A vault on `masterKey`; `version` names that key so that it can be rotated. */
export function createWalletVault(masterKey: string, version: number): WalletVault {
  const key = Buffer.from(
    hkdfSync('sha256', masterKey, '', `bounty-marketplace managed wallets v${version}`, 32),
  )
  return {
    generate(agentId) {
      const privateKey = generatePrivateKey()
      const address = privateKeyToAddress(privateKey)
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(associatedData(agentId, address))
      const ciphertext = Buffer.concat([cipher.update(hexToBytes(privateKey)), cipher.final()])
      return {
        address,
        sealedKey: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]),
        keyVersion: version,
      }
    },
    open(agentId, wallet) {
      if (wallet.keyVersion !== version)
        throw new Error(`wallet was sealed under master key version ${wallet.keyVersion}`)
      const decipher = createDecipheriv('aes-256-gcm', key, wallet.sealedKey.subarray(0, nonceBytes))
      decipher.setAAD(associatedData(agentId, wallet.address))
      decipher.setAuthTag(wallet.sealedKey.subarray(nonceBytes, nonceBytes + tagBytes))
      const sealed = wallet.sealedKey.subarray(nonceBytes + tagBytes)
      return bytesToHex(Buffer.concat([decipher.update(sealed), decipher.final()]))
    },
  }
}

function associatedData(agentId: string, address: Address): Buffer {
  return Buffer.from(`${agentId}:${address.toLowerCase()}`)
}
