import { type Address, encodeFunctionData, type Hex, parseSignature } from 'viem'
import { bondingCurve, projectToken } from './generated/contracts.ts'

// What the holder of a project token signs so that somebody else can send it to the chain: EIP-712 typed data in the
// token's domain, and the calls that carry the signatures.

/** The token whose domain a signature belongs to. */
export interface TokenDomain {
  chainId: number
  token: Address
  /** The token's name as `name()` returns it. */
  tokenName: string
}

/** A signed transfer (ERC-3009). Times in seconds, both exclusive: valid while `validAfter < block time < validBefore`. */
export interface TransferAuthorization {
  from: Address
  to: Address
  /** Base units. */
  value: bigint
  validAfter: bigint
  validBefore: bigint
  /** 32 bytes that `from` uses once, for transfers and sales together. */
  nonce: Hex
}

/** A signed sale on the project's curve. Times and nonce as in {@link TransferAuthorization}. */
export interface SaleAuthorization {
  seller: Address
  /** Base units. */
  amount: bigint
  /** Lowest acceptable payment after the curve's fee, in wei. */
  minOut: bigint
  /** Receives the ETH. */
  recipient: Address
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
}

/** A signed approval (EIP-2612). */
export interface PermitMessage {
  owner: Address
  spender: Address
  /** Base units. The founder's permit for the platform wallet includes the rest of the bounty reserve. */
  value: bigint
  /** `nonces(owner)` of the token. */
  nonce: bigint
  /** Last block time at which the permit is valid, in seconds; inclusive. */
  deadline: bigint
}

const usedOnce = [
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    ...usedOnce,
  ],
  SellWithAuthorization: [
    { name: 'seller', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'minOut', type: 'uint256' },
    { name: 'recipient', type: 'address' },
    ...usedOnce,
  ],
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

interface Messages {
  TransferWithAuthorization: TransferAuthorization
  SellWithAuthorization: SaleAuthorization
  Permit: PermitMessage
}

/** What a holder signs, for viem's `signTypedData`. The domain is the token's, also of a sale on its curve. */
export function typedData<Name extends keyof Messages>(
  { chainId, token, tokenName }: TokenDomain,
  primaryType: Name,
  message: Messages[Name],
) {
  const domain = { name: tokenName, version: '1', chainId, verifyingContract: token }
  return { domain, types, primaryType, message }
}

/** Calldata that sends a signed transfer to the token. Anybody may send it; it works once. */
export function encodeTransferWithAuthorization(message: TransferAuthorization, signature: Hex): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = message
  return encodeFunctionData({
    abi: projectToken.abi,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  })
}

/** Calldata that sends a signed sale to the curve. Anybody may send it; it works once. */
export function encodeSellWithAuthorization(message: SaleAuthorization, signature: Hex): Hex {
  const { seller, amount, minOut, recipient, validAfter, validBefore, nonce } = message
  return encodeFunctionData({
    abi: bondingCurve.abi,
    functionName: 'sellWithAuthorization',
    args: [seller, amount, minOut, recipient, validAfter, validBefore, nonce, signature],
  })
}

/** Calldata that sends a signed permit to the token. Anybody may send it; it works once. `signature` has 65 bytes. */
export function encodePermit(message: PermitMessage, signature: Hex): Hex {
  const { owner, spender, value, deadline } = message
  const { r, s, yParity } = parseSignature(signature)
  return encodeFunctionData({
    abi: projectToken.abi,
    functionName: 'permit',
    args: [owner, spender, value, deadline, yParity + 27, r, s],
  })
}
