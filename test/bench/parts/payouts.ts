import { atMost, type PartResult } from '../harness/results/report.ts'
import { show } from '../harness/results/statistics.ts'

/** What payouts.ts writes for a number of operator keys. */
interface Run {
  lanes: number
  payouts: number
  blocks: number
  fewestBlocks: number
  payoutsPerBlock: number
  wallSeconds: number
  statementsPerPayout: number
}

/** The result file of payouts.ts as the result of a part. */
export function payoutsResult({ runs }: { runs: Run[] }): PartResult {
  return {
    tables: [
      {
        title: 'Payouts on a chain with a block a second',
        columns: [
          'operator keys',
          'payouts',
          'blocks',
          'fewest possible',
          'a block',
          'seconds',
          'statements a payout',
        ],
        rows: runs.map((run) => [
          String(run.lanes),
          String(run.payouts),
          String(run.blocks),
          String(run.fewestBlocks),
          show(run.payoutsPerBlock),
          show(run.wallSeconds),
          show(run.statementsPerPayout),
        ]),
      },
    ],
    goals: runs.flatMap(({ lanes, blocks, fewestBlocks, statementsPerPayout }) => [
      atMost(`payouts over ${lanes} key(s): blocks`, fewestBlocks, blocks, ''),
      atMost(`payouts over ${lanes} key(s): statements a payout`, 20, statementsPerPayout, ''),
    ]),
    data: { runs },
  }
}
