import { BaseError, type Hex, RpcRequestError } from 'viem'

/**
 * The next step that a node's error after a send suggests. Whether a transaction was mined is read from receipts and
 * nonces alone, because wordings differ between nodes and libraries map opposites to one class.
 */
export type NextStep = 'wait' | 'raise fees' | 'add ETH' | 'send again'

const known =
  /already known|already imported|known transaction|ALREADY_EXISTS|AlreadyKnown|already in (the )?(mem)?pool/i
const nonceUsed = /nonce too low|nonce is too low|OldNonce|invalid nonce.*lower|NONCE_TOO_LOW/i
const feeTooLow =
  /underpriced|could not replace|ReplacementNotAllowed|fee (is )?too low|less than block base fee|below (the )?(current )?base ?fee|FeeTooLow|max fee per gas less|GAS_PRICE_(TOO_LOW|BELOW)/i
/** Of geth and reth, Besu, Hardhat, Nethermind, and their models; only anvil's was tried. */
const unaffordable = /insufficient funds|upfront cost exceeds|enough funds|InsufficientFunds/i

/** Reads the next step from the error text; for an unknown wording, sending the same bytes again. */
export function nextStepAfter(errorText: string): NextStep {
  if (known.test(errorText) || nonceUsed.test(errorText)) return 'wait'
  if (feeTooLow.test(errorText)) return 'raise fees'
  if (unaffordable.test(errorText)) return 'add ETH'
  return 'send again'
}

/** What nodes say of a call that their EVM has ended. That it needs more gas than is allowed says nothing of the call. */
const ended =
  /execution (was )?reverted|VM execution error|VM Exception|transaction reverted|EVM error|REVERT opcode|revert reason/i

/** Whether a call or an estimate failed because the chain would refuse the call. False where the node could not reply. */
export function isRevert(error: unknown): boolean {
  const reply = replyIn(error)
  if (!reply) return false
  return reply.code === executionReverted || revertDataIn(error) !== undefined || ended.test(reply.details)
}

/** The code of geth, for a call that has reverted with or without a reason. */
const executionReverted = 3

/** The error object of a node's reply; undefined where no node has replied with one. */
function replyIn(error: unknown): RpcRequestError | undefined {
  const found = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError)
  return found ? (found as RpcRequestError) : undefined
}

/** What a contract has given as its reason, wherever the node puts it; undefined where an error has none. */
export function revertDataIn(error: unknown): Hex | undefined {
  const data = replyIn(error)?.data as unknown
  const { data: ofHardhat, result: ofGanache } = Object(data) as Record<string, unknown>
  for (const place of [data, ofHardhat, ofGanache]) {
    // Nethermind and its models write a word before it.
    const [, found] = /^(?:Reverted )?(0x(?:[0-9a-f]{2}){4,})$/i.exec(String(place)) ?? []
    if (found) return found as Hex
  }
  return undefined
}
