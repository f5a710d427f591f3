import { type ContractErrorName, decodeErrorResult } from 'viem'
import type { ErrorCode } from '../../errors.ts'
import type { AlarmKind } from '../../loops/alarms.ts'
import type { Chain } from '../chain/chain.ts'
import { contractErrors } from '../chain/generated/contracts.ts'
import { revertDataIn } from '../chain/rpc-errors.ts'
import { coversPayout } from './evidence/evidence.ts'
import type { Payout } from './store.ts'

/** Why the chain refuses a payout, and what the founder can do; with an alarm where only the operator can do something. */
export interface Refusal {
  code: ErrorCode
  message: string
  alarm?: AlarmKind
}

type ContractError = ContractErrorName<typeof contractErrors>

const pendingAgain = 'Nothing was paid, and the submission is pending again.'
const paused: Refusal = {
  code: 'payouts_disabled',
  message: 'Payouts are paused; the submission is pending again.',
}
const shortOfFunds: Refusal = {
  code: 'insufficient_funds',
  message:
    "The founder's token balance or allowance does not cover the reward; the submission is pending again. " +
    'Fund the wallet or raise the allowance, then approve again.',
}

/** What the errors of the contracts mean, except those that only the operator can end. */
const meanings: Partial<Record<ContractError, Refusal>> = {
  PausedError: paused,
  InsufficientBalance: shortOfFunds,
  InsufficientAllowance: shortOfFunds,
  TransferFailed: {
    code: 'dollars_refused',
    message:
      `The coin refuses to move the dollars of the bounty: the contributor's wallet is on its block list, or it is paused. ${pendingAgain} ` +
      'The contributor can name another wallet; then approve again.',
  },
  LockOver: {
    code: 'dollars_lock_over',
    message: `The lock of the dollars is over, so they go back to the founder. ${pendingAgain} Approve again after that: the tokens alone are paid then.`,
  },
  DollarCapExceeded: {
    code: 'dollars_above_cap',
    message:
      `The daily limit of the platform wallet for dollars is reached. ${pendingAgain} Approve again after midnight UTC; what ` +
      'is more than the whole limit has to wait until the operator raises it.',
  },
  OtherDollars: {
    code: 'payout_failed',
    message: `What is locked for the bounty in dollars has changed meanwhile. ${pendingAgain} Approve again.`,
  },
  DailyCapExceeded: {
    code: 'payout_failed',
    message:
      "The operator's limit for payouts of this token is reached for today; the submission is pending again. Approve again after midnight UTC.",
  },
}

/**
 * Why the chain refuses a payout.
 * @param error with which a node has refused the call; without its reason the chain's state says the most probable one
 */
export async function refusalOf(chain: Chain, payout: Payout, error?: unknown): Promise<Refusal> {
  const name = errorNameIn(error)
  const known = name && meanings[name]
  if (known) return known
  if (await chain.isPaused()) return paused
  if (!(await coversPayout(chain, payout))) return shortOfFunds
  if (name)
    return {
      code: 'payout_failed',
      message: `The contracts refuse the payout (${name}), which only the operator can mend; the submission is pending again.`,
      alarm: 'payout_refused',
    }
  return {
    code: 'payout_failed',
    message: 'The chain refused the payout; the submission is pending again. Approve again later.',
  }
}

function errorNameIn(error: unknown): ContractError | undefined {
  const data = revertDataIn(error)
  if (data === undefined) return undefined
  try {
    return decodeErrorResult({ abi: contractErrors, data }).errorName
  } catch {
    // Of another contract.
    return undefined
  }
}
