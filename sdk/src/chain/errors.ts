import { BaseError, ContractFunctionRevertedError } from 'viem'
import { MarketplaceError } from '../core/errors.ts'

/** Meanings of the contracts' errors for traders. */
const meanings: Record<string, string> = {
  DeadlinePassed: 'the deadline has passed',
  ZeroAmount: 'the amount is zero',
  NothingToPay: 'the amount is so small that a sale of it would pay nothing',
  ExceedsSupply: 'the curve has less left for sale',
  ExceedsSold: 'the curve has sold less than that, so it cannot buy it back',
  MaxInExceeded: 'the price has risen beyond the limit; quote again',
  MinOutNotMet: 'the price has fallen below the limit; quote again',
  ReserveLocked: 'the bounty reserve cannot be moved, only payouts spend it',
  ApprovalBelowReserve: 'the approval must not be lower than what is left of the bounty reserve',
  InvalidRecipient: 'this address cannot receive the tokens or the ETH',
  InsufficientBalance: 'the balance is too small',
}

/** A contract refused. `reason` is the name of its error, such as `MaxInExceeded`, with `args` as it gave them. */
export class ContractError extends MarketplaceError {
  override name = 'ContractError'
  /** Name of the contract's error; `undefined` if it gave none. */
  readonly reason: string | undefined
  readonly args: readonly unknown[]

  constructor(action: string, reason: string | undefined, args: readonly unknown[] = [], cause?: unknown) {
    const meaning = (reason && meanings[reason]) ?? 'the contract refused'
    super(`${action}: ${meaning}${reason ? ` (${reason})` : ''}`, { cause })
    this.reason = reason
    this.args = args
  }
}

/** Runs `work` and turns a revert into a {@link ContractError}; other errors pass unchanged. */
export async function explained<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const revert =
      error instanceof BaseError
        ? error.walk((cause) => cause instanceof ContractFunctionRevertedError)
        : undefined
    if (!(revert instanceof ContractFunctionRevertedError)) throw error
    throw new ContractError(action, revert.data?.errorName, revert.data?.args ?? [], error)
  }
}
