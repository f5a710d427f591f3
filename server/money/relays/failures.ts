import { decodeErrorResult, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { revertDataIn } from '../chain/rpc-errors.ts'

const unmoved = 'Nothing has left the wallet.'

/** Why a relay failed, or why the chain has refused it so far, and what the agent can do. */
export const relayFailures = {
  authorization_expired: `It was not made in time, and nobody can send it any more. ${unmoved} Ask again with a new Idempotency-Key.`,
  authorization_cancelled: `The key of the wallet has cancelled it. ${unmoved}`,
  authorization_replaced:
    'Its nonce was used by another signature of the wallet: by an earlier request with the same Idempotency-Key that the service has lost, or by anybody who has the exported key.',
  insufficient_balance: `The wallet holds less than the amount. ${unmoved} Ask again for less, with a new Idempotency-Key.`,
  min_eth_not_met: `The curve pays less than min_eth. ${unmoved} Ask again with a lower min_eth and a new Idempotency-Key.`,
  coin_refused: `The coin is paused, or refuses one of the wallets. ${unmoved}`,
  recipient_refused: `The recipient refuses ETH or needs too much gas to receive it. ${unmoved} Ask again with another address and a new Idempotency-Key.`,
}

/** A key of {@link relayFailures}. */
export type RelayFailure = keyof typeof relayFailures

/** What the errors of token, curve and transfers of ETH mean. Of others an agent can make nothing. */
const meanings: [error: string, meaning: RelayFailure][] = [
  ['InsufficientBalance()', 'insufficient_balance'],
  ['ReserveLocked(uint256)', 'insufficient_balance'],
  ['MinOutNotMet(uint256)', 'min_eth_not_met'],
  ['ExceedsSold(uint256)', 'min_eth_not_met'],
  ['NothingToPay()', 'min_eth_not_met'],
  ['ETHTransferFailed()', 'recipient_refused'],
]
const bySelector = new Map(meanings.map(([error, meaning]) => [toFunctionSelector(error), meaning]))

/** Why the chain refuses a call, by the error with which a node has estimated it; undefined if that is unknown. */
export function refusalIn(error: unknown): RelayFailure | undefined {
  const data = revertDataIn(error)
  const text = data && revertText(data)
  if (text?.includes('exceeds balance')) return 'insufficient_balance'
  if (text !== undefined && /paused|blacklisted/.test(text)) return 'coin_refused'
  return bySelector.get(data?.slice(0, 10) as Hex)
}

/** The words in which a contract refuses a call, as Circle's coin does; undefined where it has none. */
export function revertText(data: Hex): string | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: parseAbi(['error Error(string)']), data })
    return errorName === 'Error' ? args[0] : undefined
  } catch {
    return undefined
  }
}
