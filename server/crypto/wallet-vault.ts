import { type Address, bytesToHex, type Hex, hexToBytes } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { deriveKey, open, seal } from './seal.ts'

/** A managed wallet as it is stored. The private key leaves the process only sealed. */
export interface SealedWallet {
  address: Address
  /** The private key in the format of {@link seal}. */
  sealedKey: Buffer
  /** Version of the master key that sealed it. */
  keyVersion: number
}

/** Creates and opens managed wallets under the operator's master key. */
export interface WalletVault {
  /** A new random wallet, sealed for `agentId`. It opens for no other agent and no other address. */
  generate(agentId: string): SealedWallet
  /** The private key of a wallet. @throws if the row was altered, moved to another agent or sealed under another key */
  open(agentId: string, wallet: SealedWallet): Hex
}

/** A vault under `masterKey`. `version` is stored with each wallet so that the master key can be rotated. */
export function createWalletVault(masterKey: string, version: number): WalletVault {
  const key = deriveKey(masterKey, '', `bounty-marketplace managed wallets v${version}`)
  return {
    generate(agentId) {
      const privateKey = generatePrivateKey()
      const address = privateKeyToAddress(privateKey)
      const sealedKey = seal(key, hexToBytes(privateKey), associatedData(agentId, address))
      return { address, sealedKey, keyVersion: version }
    },
    open(agentId, { address, sealedKey, keyVersion }) {
      if (keyVersion !== version)
        throw new Error(`wallet was sealed under master key version ${keyVersion}, not ${version}`)
      return bytesToHex(open(key, sealedKey, associatedData(agentId, address)))
    },
  }
}

function associatedData(agentId: string, address: Address): string {
  return `${agentId}:${address.toLowerCase()}`
}
