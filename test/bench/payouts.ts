import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parseAbiItem } from 'viem'
import { maxInFlight } from '../../server/engines/transactions/types.ts'
import { countStatements, type StatementKind } from './payouts/count.ts'
import { applicationName, type BenchMarket, startBenchMarket } from './payouts/market.ts'

/*
 * npx tsx test/bench/payouts.ts [--payouts 200] [--lanes 1,2,4] [--out file.json]
 * Approves that many submissions at once over HTTP on a chain with a block a second, once for each number of operator
 * keys, and tells how many blocks they took. Everything runs on this machine; the service is this process.
 */

const paidEvent = parseAbiItem(
  'event Paid(bytes32 indexed payoutId, address indexed token, address indexed from, address to, uint256 amount, uint256 fee)',
)

/** What one run came to. */
interface Run {
  lanes: number
  payouts: number
  /** From the first block with a payout to the last, both included. */
  blocks: number
  /** The fewest that 16 in flight a lane allow. */
  fewestBlocks: number
  /** Payouts in each block from the first to the last. */
  perBlock: number[]
  payoutsPerBlock: number
  /** From the first approval to the last response, in seconds. */
  wallSeconds: number
  /** Database statements of the service in that time, polling included. */
  statements: Record<StatementKind, number>
  statementsPerPayout: number
}

async function run(lanes: number, payouts: number): Promise<Run> {
  const market = await startBenchMarket(lanes)
  const counter = countStatements(applicationName)
  try {
    const bounties = await market.bountiesInReview(payouts)
    await market.node.setAutomine(false)
    await market.node.setIntervalMining({ interval: 1 })
    const since = await nextBlock(market)
    counter.reset()
    const began = performance.now()
    await Promise.all(bounties.map((id) => approve(market, id)))
    const wallSeconds = (performance.now() - began) / 1000
    const statements = counter.counts()
    const perBlock = await payoutsPerBlock(market, since)
    const paid = perBlock.reduce((sum, count) => sum + count, 0)
    if (paid !== payouts) throw new Error(`${paid} of ${payouts} payouts are on the chain`)
    const total = statements.look + statements.poll + statements.work
    return {
      lanes,
      payouts,
      blocks: perBlock.length,
      fewestBlocks: Math.ceil(payouts / (maxInFlight * lanes)),
      perBlock,
      payoutsPerBlock: round(payouts / perBlock.length),
      wallSeconds: round(wallSeconds),
      statements,
      statementsPerPayout: round(total / payouts),
    }
  } finally {
    counter.stop()
    await market.close()
  }
}

/** Waits for a block, so that every run begins with a whole second before the next one. */
async function nextBlock({ node }: BenchMarket): Promise<bigint> {
  const before = await node.getBlockNumber()
  for (;;) {
    const now = await node.getBlockNumber()
    if (now > before) return now
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Approves as a founder does who asks again while the response is not final. */
async function approve({ baseUrl, founderKey }: BenchMarket, bountyId: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${baseUrl}/api/bounties/${bountyId}/approve`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${founderKey}`,
        'content-type': 'application/json',
        'idempotency-key': bountyId,
      },
      body: '{}',
    })
    const body = (await response.json()) as { error?: { retryable: boolean } }
    if (response.ok) return
    if (!body.error?.retryable) throw new Error(`approve: ${response.status} ${JSON.stringify(body)}`)
  }
}

async function payoutsPerBlock({ node, platformWallet }: BenchMarket, since: bigint): Promise<number[]> {
  const events = await node.getLogs({ address: platformWallet, event: paidEvent, fromBlock: since + 1n })
  const numbers = events.map(({ blockNumber }) => Number(blockNumber))
  const first = Math.min(...numbers)
  const counts = Array.from({ length: Math.max(...numbers) - first + 1 }, () => 0)
  for (const number of numbers) counts[number - first] = (counts[number - first] ?? 0) + 1
  return counts
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function table(runs: Run[]): string {
  const rows = runs.map((one) => ({
    lanes: one.lanes,
    payouts: one.payouts,
    blocks: one.blocks,
    'fewest possible': one.fewestBlocks,
    'payouts per block': one.payoutsPerBlock,
    'wall s': one.wallSeconds,
    'statements per payout': one.statementsPerPayout,
    'in each block': one.perBlock.join(' '),
  }))
  const names = Object.keys(rows[0] ?? {})
  const lines = [names, ...rows.map((row) => Object.values(row).map(String))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '200' },
    lanes: { type: 'string', default: '1,2,4' },
    out: { type: 'string' },
  },
})
const runs: Run[] = []
for (const lanes of values.lanes.split(',').map(Number)) {
  process.stderr.write(`${values.payouts} approvals over ${lanes} operator keys ...\n`)
  runs.push(await run(lanes, Number(values.payouts)))
}
process.stdout.write(`${table(runs)}\n`)
if (values.out)
  await writeFile(values.out, `${JSON.stringify({ bench: 'payouts', maxInFlight, runs }, null, 2)}\n`)
