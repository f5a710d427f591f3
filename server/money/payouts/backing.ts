import { sql } from 'kysely'
import { type Address, parseEther } from 'viem'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import type { AcceptedBy } from '../../lifecycle/acceptance.ts'
import type { ChainConnection } from '../chain/connection.ts'
import { type CurveShape, saleProceeds, shapeOf } from '../chain/curve.ts'
import { bondingCurve } from '../chain/generated/contracts.ts'
import { countToday } from '../gas-budget.ts'

/*
 * A payout is backed if buyers have put enough into the curve: all that the project has begun to pay in the last 24 hours could be
 * sold, and after that this payout for `STANDING_MIN_ETH`. So each backed payout of a day needs ether of its own in the curve,
 * which a founder who fakes buyers has to put there and pays the curve's fee for.
 */

/** The settings that decide what is backed, and what may be paid without. */
export type BackingSettings = Pick<Config, 'STANDING_MIN_ETH' | 'UNBACKED_PAYOUTS_PER_DAY' | 'RATE_LIMITS'>

/** What a payout has to be worth to be backed, in ether. Where that is 0, each one is backed. */
export const leastWorth = ({ STANDING_MIN_ETH }: Pick<Config, 'STANDING_MIN_ETH'>): string =>
  STANDING_MIN_ETH ?? '0.0002'

const backsAll = (settings: BackingSettings) => parseEther(leastWorth(settings)) === 0n

/** Payouts that are not backed which a founder may begin in 24 hours; null for any number. */
export const unbackedPayoutsPerDay = (settings: BackingSettings): number | null =>
  settings.RATE_LIMITS === 'off' || backsAll(settings) ? null : settings.UNBACKED_PAYOUTS_PER_DAY

/** What buyers hold of a token, in base units, and the curve that buys it back. */
interface Buyers {
  shape: CurveShape
  sold: bigint
}

/** Undefined where it is not needed, or no node says it: then a payout is begun without, as one that is not backed. */
export async function readBuyers(
  { chain }: ChainConnection,
  settings: BackingSettings,
  curve: string | null,
): Promise<Buyers | undefined> {
  if (!chain || !curve || backsAll(settings)) return undefined
  const address = curve as Address
  return Promise.all([
    shapeOf(chain.client, address),
    chain.client.readContract({ abi: bondingCurve.abi, address, functionName: 'sold' }),
  ]).then(
    ([shape, sold]) => ({ shape, sold }),
    () => undefined,
  )
}

/** What stands behind a payout, as it is stored. */
export interface Backing {
  worth_wei: string | null
  is_backed: boolean
}

/** That of a payment whose begin this database has lost. */
export const unknownBacking: Backing = { worth_wei: null, is_backed: false }

/**
 * What stands behind a payout that begins in the caller's transaction. Until that ends no other payout of the founder is counted.
 * @throws ServiceError `payout_limit_reached`
 */
export async function requireBacking(
  trx: Database,
  settings: BackingSettings,
  payout: {
    founderId: string
    projectId: string
    submissionId: string
    amount: bigint
    acceptedBy: AcceptedBy
  },
  buyers: Buyers | undefined,
): Promise<Backing> {
  const { founderId, projectId, submissionId, amount, acceptedBy } = payout
  if (backsAll(settings)) return { worth_wei: null, is_backed: true }
  await sql`select pg_advisory_xact_lock(hashtext(${`payouts of ${founderId}`}))`.execute(trx)
  const worth = buyers && worthOf(buyers, await begunToday(trx, projectId), amount)
  const backing = {
    worth_wei: worth?.toString() ?? null,
    is_backed: worth !== undefined && worth >= parseEther(leastWorth(settings)),
  }
  const most = unbackedPayoutsPerDay(settings)
  if (backing.is_backed || most === null) return backing
  const { count, freeInSeconds } = await countToday(trx, 'payouts', founderId, most)
  // What the founder took first is paid first, before what it chooses to pay.
  const waiting = await countMerged(trx, founderId, acceptedBy === 'merge' ? submissionId : null)
  if (count + waiting < most) return backing
  throw new ServiceError(
    'payout_limit_reached',
    `The founder may begin ${most} payouts within 24 hours that no buyer stands behind, and those that it has begun, or that earlier ` +
      'merged work waits for, are as many. The submission stays pending: approve it ' +
      'again after `Retry-After` seconds, or as soon as buyers hold more of the token than the project paid today.',
    { retryAfter: freeInSeconds },
  )
}

/** How many submissions to the founder's projects are merged and wait for a payout within the limit; if one is given, since before it. */
async function countMerged(trx: Database, founderId: string, submissionId: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from submissions s join projects on projects.id = s.project_id join pull_requests p on p.url = s.pr_url
    where founder_id = ${founderId} and s.status = 'pending' and acceptance_blocked = 'payout_limit_reached'
      and (${submissionId}::text is null or p.merged_at < (
        select merged_at from submissions own join pull_requests on url = pr_url where own.id = ${submissionId}))`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

/** What the curve would pay for `amount` after it has bought `before`, in wei. It buys no more than it has sold. */
function worthOf({ shape, sold }: Buyers, before: bigint, amount: bigint): bigint {
  const left = sold > before ? sold - before : 0n
  return saleProceeds(shape, left, amount < left ? amount : left)
}

/** What the project has begun to pay within 24 hours, in base units, fees included: the treasury can sell as well. */
async function begunToday(trx: Database, projectId: string): Promise<bigint> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(amount + fee), 0) as sum from payouts
    where project_id = ${projectId} and status <> 'failed'
      and begun_at > statement_timestamp() - interval '24 hours'`.execute(trx)
  return BigInt(rows[0]?.sum ?? 0)
}
