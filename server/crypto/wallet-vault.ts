import { type Address, bytesToHex, type Hex, hexToBytes } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { deriveKey, open, seal } from './seal.ts'

const canary = 'bounty-marketplace wallet master key'

/** A managed wallet as it is stored. The private key leaves the process only sealed. */
export interface SealedWallet {
  address: Address
  /** The private key in the format of {@link seal}. */
  sealedKey: Buffer
  /** Version of the master key that sealed it. */
  keyVersion: number
}

/** A text as it is stored, sealed for one row. */
export interface SealedText {
  sealed: Buffer
  /** Version of the master key that sealed it. */
  keyVersion: number
}

/** Creates and opens managed wallets under the operator's master key, and seals the secrets of webhooks. */
export interface WalletVault {
  /** Version of the master key that seals. */
  readonly version: number
  /** Versions that this vault opens. */
  readonly opens: readonly number[]
  /** A new random wallet, sealed for `agentId`. It opens for no other agent and no other address. */
  generate(agentId: string): SealedWallet
  /**
   * The private key of a wallet.
   * @throws UnknownMasterKeyError if this process does not have the master key of its version
   * @throws if the row was altered, moved to another agent or sealed under another key
   */
  open(agentId: string, wallet: SealedWallet): Hex
  /** The same wallet under the newest master key. @throws as {@link WalletVault.open} */
  reseal(agentId: string, wallet: SealedWallet): SealedWallet
  /** Seals `text` for the row `owner`; it opens for no other row. */
  sealText(owner: string, text: string): SealedText
  /** What {@link WalletVault.sealText} sealed for `owner`. @throws as {@link WalletVault.open} */
  openText(owner: string, text: SealedText): string
  /**
   * A constant sealed under the master key of a version, which tells other processes whether they have that key.
   * @throws UnknownMasterKeyError
   */
  sealCanary(version: number): Buffer
  /** Whether a vault with the same master key of that version sealed this canary. @throws UnknownMasterKeyError */
  opensCanary(version: number, sealed: Buffer): boolean
}

/** A wallet is sealed under a version of the master key that this process does not have; another process may. */
export class UnknownMasterKeyError extends Error {
  override readonly name = 'UnknownMasterKeyError'
  constructor(version: number, opens: readonly number[]) {
    super(`wallet was sealed under master key version ${version}, not ${opens.join(' or ')}`)
  }
}

/**
 * A vault that seals under `masterKey`. `version` is stored with each wallet so that the master key can be rotated:
 * `previousKey` is the master key of `version - 1`, whose wallets still open.
 */
export function createWalletVault(masterKey: string, version: number, previousKey?: string): WalletVault {
  const sealingKey = deriveKey(masterKey, '', purposeOf(version))
  const keys = new Map([[version, sealingKey]])
  if (previousKey) keys.set(version - 1, deriveKey(previousKey, '', purposeOf(version - 1)))
  const opens = [...keys.keys()]

  function keyOf(keyVersion: number): Uint8Array {
    const key = keys.get(keyVersion)
    if (!key) throw new UnknownMasterKeyError(keyVersion, opens)
    return key
  }
  function openKey(agentId: string, { address, sealedKey, keyVersion }: SealedWallet): Buffer {
    return open(keyOf(keyVersion), sealedKey, associatedData(agentId, address))
  }
  function sealKey(agentId: string, address: Address, privateKey: Uint8Array): SealedWallet {
    const sealedKey = seal(sealingKey, privateKey, associatedData(agentId, address))
    return { address, sealedKey, keyVersion: version }
  }
  return {
    version,
    opens,
    generate(agentId) {
      const privateKey = generatePrivateKey()
      return sealKey(agentId, privateKeyToAddress(privateKey), hexToBytes(privateKey))
    },
    open: (agentId, wallet) => bytesToHex(openKey(agentId, wallet)),
    reseal: (agentId, wallet) => sealKey(agentId, wallet.address, openKey(agentId, wallet)),
    sealText: (owner, text) => ({ sealed: seal(sealingKey, text, textOf(owner)), keyVersion: version }),
    openText: (owner, { sealed, keyVersion }) =>
      open(keyOf(keyVersion), sealed, textOf(owner)).toString('utf8'),
    sealCanary: (keyVersion) => seal(keyOf(keyVersion), canary, canary),
    opensCanary(keyVersion, sealed) {
      const key = keyOf(keyVersion)
      try {
        return open(key, sealed, canary).equals(Buffer.from(canary))
      } catch {
        return false
      }
    },
  }
}

function purposeOf(version: number): string {
  return `bounty-marketplace managed wallets v${version}`
}

/** Starts unlike the associated data of every wallet, which begins with the id of an agent. */
function textOf(owner: string): string {
  return `text of ${owner}`
}

function associatedData(agentId: string, address: Address): string {
  return `${agentId}:${address.toLowerCase()}`
}
