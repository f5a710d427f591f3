import { onChain } from './directed-chain.ts'
import { ofDollars } from './directed-dollars.ts'
import { afterPayment } from './directed-late.ts'
import { ofRules } from './directed-rules.ts'
import { aroundService } from './directed-service.ts'
import { ofWithdrawals } from './directed-withdrawals.ts'
import type { Directed } from './helpers.ts'

/** Schedules that were each thought out for one way of failing. */
export const directed: Directed[] = [
  ...onChain,
  ...aroundService,
  ...afterPayment,
  ...ofWithdrawals,
  ...ofDollars,
  ...ofRules,
]
