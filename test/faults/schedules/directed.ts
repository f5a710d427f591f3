import { onChain } from './directed-chain.ts'
import { afterPayment } from './directed-late.ts'
import { aroundService } from './directed-service.ts'
import { ofWithdrawals } from './directed-withdrawals.ts'
import type { Directed } from './helpers.ts'

/** Schedules that were each thought out for one way of failing. */
export const directed: Directed[] = [...onChain, ...aroundService, ...afterPayment, ...ofWithdrawals]

const isRare = ({ name }: Directed) =>
  [
    "every node's words for nonceTooHigh",
    "every node's words for underpriced",
    "every node's words for poolFull",
    "every node's words for belowBaseFee",
    "every node's words for noMoney",
    'a key is taken away with',
    'a reorganisation takes a payment 3 blocks after 3',
    'the database falls back behind a payment and the review of the work that is paid ends as retracted',
    'the database falls back while a payment waits in the mempool, and the review ends as retracted',
    'the database falls back while a payment waits in the mempool, the service is restarted',
    'somebody else uses the nonce of a gap filler',
    // Every test run also plays them as crash points.
    'killed while sending',
    // These mostly wait.
    'every answer of the node takes longer than a lease is long',
    'the receipt is not to be had for long',
  ].some((beginning) => name.startsWith(beginning))

/** Played by the long tests alone: what they show is close to what another schedule shows in every run, or takes ten seconds. */
export const rareDirected = directed.filter(isRare)

/** Played by every test run. */
export const quickDirected = directed.filter((schedule) => !isRare(schedule))
