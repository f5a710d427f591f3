import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseSignature,
  type TypedDataDefinition,
} from 'viem'
import { bondingCurve, platformWallet, projectToken } from './generated/contracts.ts'

// What the holder of a project token, or of dollars, signs so that somebody else can send it to the chain: EIP-712 typed data in the
// token's domain, and the calls that carry the signatures.

/** The token whose domain a signature belongs to. */
export interface TokenDomain {
  chainId: number
  token: Address
  /** The token's name as `name()` returns it. */
  tokenName: string
  /** Default: that of project tokens. */
  version?: string
}

const usedOnce = [
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/**
 * The fields of the messages. Amounts are in base units. Times are in seconds, and exclusive: a transfer or a sale is valid while
 * `validAfter < block time < validBefore`. The holder uses its `nonce` of 32 bytes once, for transfers and sales together.
 */
const types = {
  /** ERC-3009. */
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    ...usedOnce,
  ],
  /** ERC-3009: only `to` can use it. The platform wallet does so in `fund`. */
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    ...usedOnce,
  ],
  /** On the project's curve: `minOut` is the lowest acceptable payment after its fee, in wei, and `recipient` receives the ETH. */
  SellWithAuthorization: [
    { name: 'seller', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'minOut', type: 'uint256' },
    { name: 'recipient', type: 'address' },
    ...usedOnce,
  ],
  /**
   * EIP-2612. The `value` of the founder's permit for the platform wallet includes the rest of the bounty reserve, `nonce` is
   * `nonces(owner)` of the token, and `deadline` the last block time at which it is valid, inclusive.
   */
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** A signed transfer. */
export type TransferAuthorization = TypedDataDefinition<typeof types, 'TransferWithAuthorization'>['message']
/** A signed sale on the project's curve. */
export type SaleAuthorization = TypedDataDefinition<typeof types, 'SellWithAuthorization'>['message']
/** A signed approval. */
export type PermitMessage = TypedDataDefinition<typeof types, 'Permit'>['message']

interface Messages {
  TransferWithAuthorization: TransferAuthorization
  ReceiveWithAuthorization: TransferAuthorization
  SellWithAuthorization: SaleAuthorization
  Permit: PermitMessage
}

/** What a holder signs, for viem's `signTypedData`. The domain is the token's, also of a sale on its curve. */
export function typedData<Name extends keyof Messages>(
  { chainId, token, tokenName, version = '1' }: TokenDomain,
  primaryType: Name,
  message: Messages[Name],
) {
  const domain = { name: tokenName, version, chainId, verifyingContract: token }
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

/** A bounty's payout id and its project's token, which the nonce of a deposit is made of. */
export interface DepositOf {
  payoutId: Hex
  projectToken: Address
}

/** The nonce of a deposit's signature, so that the coin itself takes one for a bounty, and for no other. */
export function depositNonce({ payoutId, projectToken }: DepositOf): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [payoutId, projectToken]))
}

/** What a founder signs to lock dollars: `wallet` gives `amount` base units to the platform wallet. */
export function depositMessage(terms: {
  wallet: Address
  recipient: Address
  amount: bigint
  nonce: Hex
  validBefore: number
}): TransferAuthorization {
  const { wallet: from, recipient: to, amount: value, nonce } = terms
  return { from, to, value, validAfter: 0n, validBefore: BigInt(terms.validBefore), nonce }
}

/** Calldata by which an operator locks what a founder has signed. */
export function encodeFund(
  { payoutId, projectToken }: DepositOf,
  terms: { amount: bigint; validBefore: number },
  signature: Hex,
): Hex {
  return encodeFunctionData({
    abi: platformWallet.abi,
    functionName: 'fund',
    args: [payoutId, projectToken, terms.amount, BigInt(terms.validBefore), signature],
  })
}
