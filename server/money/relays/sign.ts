import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  type DepositOf,
  depositMessage,
  encodeFund,
  encodePermit,
  encodeSellWithAuthorization,
  encodeTransferWithAuthorization,
  typedData,
} from '../chain/authorizations.ts'
import type { RelayTerms } from './store.ts'

/**
 * The nonce of a withdrawal's authorization. It follows from the Idempotency-Key alone and not from anything stored: if the
 * database falls back and forgets a withdrawal, the repeated request gets the same nonce, and the chain refuses a second use.
 * @param keyDigest SHA-256 of agent and key
 */
export function withdrawalNonce(chainId: number, agentId: string, keyDigest: Buffer): Hex {
  return keccak256(
    encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'string' }, { type: 'bytes32' }],
      [BigInt(chainId), agentId, `0x${keyDigest.toString('hex')}`],
    ),
  )
}

/**
 * Signs a relay with the key of its wallet. Returns the call by which anybody can send it, once; a deposit's only an operator.
 * @param depositOf the bounty of a deposit
 */
export async function signRelay(
  privateKey: Hex,
  terms: RelayTerms,
  { name: tokenName, version }: { name: string; version: string },
  depositOf?: DepositOf,
): Promise<{ to: Address; data: Hex }> {
  const account = privateKeyToAccount(privateKey)
  const { token, curve, wallet, amount, recipient, nonce } = terms
  const domain = { chainId: terms.chainId, token, tokenName, version }
  const validBefore = BigInt(terms.validBefore)
  const times = { validAfter: 0n, validBefore, nonce }
  if (terms.kind === 'permit') {
    // A permit's deadline is inclusive.
    const deadline = validBefore - 1n
    const message = { owner: wallet, spender: recipient, value: amount, nonce: BigInt(nonce), deadline }
    const signature = await account.signTypedData(typedData(domain, 'Permit', message))
    return { to: token, data: encodePermit(message, signature) }
  }
  if (depositOf) {
    const message = depositMessage(terms)
    const signature = await account.signTypedData(typedData(domain, 'ReceiveWithAuthorization', message))
    return { to: recipient, data: encodeFund(depositOf, terms, signature) }
  }
  if (terms.asEth && curve) {
    const message = { seller: wallet, amount, minOut: terms.minEth, recipient, ...times }
    const signature = await account.signTypedData(typedData(domain, 'SellWithAuthorization', message))
    return { to: curve, data: encodeSellWithAuthorization(message, signature) }
  }
  const message = { from: wallet, to: recipient, value: amount, ...times }
  const signature = await account.signTypedData(typedData(domain, 'TransferWithAuthorization', message))
  return { to: token, data: encodeTransferWithAuthorization(message, signature) }
}
