import { setTimeout as delay } from 'node:timers/promises'
import { measuredDepths, secondsUnderWay, shareOfTime } from './lanes.ts'
import type { Market, Work } from './market.ts'
import { type Amounts, amountNames, costOf, rateOf, type Usage } from './meter.ts'
import { defaultProfile } from './profile.ts'
import type { Session, StepsData } from './session.ts'

/** Mines until every transaction is final, so that the lane has nothing to do. */
export async function untilFinal({ client, blocks }: Market): Promise<void> {
  await blocks.mine(defaultProfile.finalityBlocks)
  await until(client, 'not exists (select from transactions where nonce is not null and not is_final)')
}

async function until(client: Market['client'], condition: string): Promise<void> {
  for (let holds = false; !holds; await delay(100))
    holds = (await client.query(`/* meter */ select ${condition} as holds`)).rows[0].holds
}

/**
 * What a lane costs besides its transactions, with a payout for each of `works`. Between two blocks it can only look, so
 * the blocks are stopped: once with a payout under way, once without. Then they come again, and with each the lane asks
 * for all blocks of its payouts.
 */
export async function measureLane({ market, data }: Session, works: Work[], seconds: number): Promise<void> {
  const { blocks, client, meter } = market
  const [first, ...others] = works as [Work, ...Work[]]
  const rest = () => meter.usage(() => delay(seconds * 1000))
  await untilFinal(market)
  await blocks.stop()
  const approval = await begun(market, first)
  const underWay = rateOf(await rest())
  await blocks.mine(1)
  await approval.done
  const watching = rateOf(await rest())
  for (const work of others) {
    const { done } = await begun(market, work)
    await blocks.mine(1)
    await done
  }
  await blocks.start()
  const { usage, checks } = await countChecks(client, rest)
  data.lane = {
    watching: difference(watching, data.idle),
    underWay: difference(underWay, watching),
    check: costOf(usage, checks, watching),
  }
  await untilFinal(market)
}

/** Approves, and resolves as soon as the transaction was sent. */
async function begun({ approve, client }: Market, work: Work): Promise<{ done: Promise<void> }> {
  const done = approve(work)
  await until(client, "exists (select from transactions where status = 'unconfirmed')")
  return { done }
}

const difference = (more: Amounts, less: Amounts): Amounts => costOf({ ...more, seconds: 1 }, 1, less)

/** Counts how often the lane asks for a block while something is measured: for each with transactions, once a new block. */
async function countChecks(
  client: Market['client'],
  measure: () => Promise<Usage>,
): Promise<{ usage: Usage; checks: number }> {
  const settled: number[] = []
  const timer = setInterval(async () => {
    const { rows } = await client.query(`/* meter */ select count(distinct block_hash)::int as blocks
      from transactions where nonce is not null and not is_final and block_hash is not null`)
    settled.push(rows[0].blocks)
  }, 500)
  const usage = await measure()
  clearInterval(timer)
  const mean = settled.reduce((sum, blocks) => sum + blocks, 0) / settled.length
  return { usage, checks: (mean * usage.seconds) / measuredDepths.blockSeconds }
}

/** Takes a step with a transaction at random moments and keeps what one costs beside the lane. */
export async function stepOnChain(
  session: Session,
  name: string,
  works: Work[],
  work: (work: Work) => Promise<unknown>,
  seconds: number,
): Promise<void> {
  const { market, data } = session
  const { usage, checks } = await countChecks(market.client, () =>
    session.stepAtRandom(name, works, work, seconds),
  )
  Object.assign(data.steps[name] ?? {}, besideLane(usage, works.length, checks, data))
  await untilFinal(market)
}

/** What one of `count` transactions cost beside the idle process, its lane, and the checks of its lane. */
export function besideLane(
  usage: Usage,
  count: number,
  checks: number,
  { idle, lane }: Pick<StepsData, 'idle' | 'lane'>,
): Amounts {
  const underWay = shareOfTime(count / usage.seconds, secondsUnderWay(measuredDepths))
  const perSecond = {} as Amounts
  for (const name of amountNames)
    perSecond[name] =
      idle[name] +
      lane.watching[name] +
      lane.underWay[name] * underWay +
      (lane.check[name] * checks) / usage.seconds
  return costOf(usage, count, perSecond)
}
