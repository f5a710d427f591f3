import { setTimeout as delay } from 'node:timers/promises'
import { anvilClient } from '../../../server/embedded/chain/anvil-client.ts'
import { newId } from '../../../server/ids.ts'
import { platformWallet } from '../../../server/money/chain/generated/contracts.ts'
import { maxInFlight } from '../../../server/money/transactions/types.ts'
import type { Bench } from '../harness/bench.ts'
import { connect, logStatements } from '../harness/postgres.ts'
import { goal, type PartResult } from '../harness/results/report.ts'
import { show } from '../harness/results/statistics.ts'
import { createBenchAgents } from './claimable.ts'
import { foundProject } from './founded.ts'

/** What one run came to. */
interface Run {
  keys: number
  payouts: number
  /** From the first block with a payout to the last. */
  blocks: number
  /** The fewest blocks that 16 in flight a key allow. */
  fewestBlocks: number
  /** From the first approval to the last response. */
  seconds: number
  /** Statements of the process in that time, for each payout; what it polls by itself is among them. */
  statements: number
}

/** Approvals at once, on a chain with a block a second, over several numbers of operator keys. */
export async function payouts(bench: Bench): Promise<PartResult> {
  const { quick } = bench.options
  const runs: Run[] = []
  for (const keys of quick ? [1] : [1, 2, 4]) runs.push(await run(bench, keys, quick ? 20 : 200))
  return {
    tables: [
      {
        title: 'Payouts on a chain with a block a second',
        columns: ['operator keys', 'payouts', 'blocks', 'fewest possible', 'seconds', 'statements a payout'],
        rows: runs.map((run) => [
          ...[run.keys, run.payouts, run.blocks, run.fewestBlocks].map(String),
          show(run.seconds),
          show(run.statements),
        ]),
      },
    ],
    findings: [
      ...runs.map(({ keys, payouts, blocks, fewestBlocks }) =>
        goal(`${payouts} payouts, ${keys} key(s): blocks`, blocks, '≤', fewestBlocks),
      ),
      goal('statements a payout, at most', Math.max(...runs.map(({ statements }) => statements)), '≤', 20),
    ],
    data: { runs },
  }
}

async function run(bench: Bench, keys: number, payouts: number): Promise<Run> {
  const { settings, spareOperatorKeys } = bench.environment
  const node = anvilClient(settings.CHAIN_RPC_URL ?? '')
  const url = await bench.postgres.create(`bench_payouts_${keys}`)
  await logStatements(url)
  const server = await bench.start(url, { OPERATOR_PRIVATE_KEYS: spareOperatorKeys.slice(0, keys).join(',') })
  try {
    const { agent, project } = await foundProject(server.url)
    const bounties = await storeBounties(url, project.id, payouts)
    await node.setAutomine(false)
    await node.setIntervalMining({ interval: 1 })
    // Every run begins with a whole second before the next block.
    const before = await node.getBlockNumber()
    while ((await node.getBlockNumber()) === before) await delay(5)
    const began = performance.now()
    const statements = await bench.postgres.statementsDuring(() =>
      Promise.all(bounties.map((id) => approve(server.url, id, agent.api_key))),
    )
    const seconds = (performance.now() - began) / 1000
    const paid = await node.getContractEvents({
      address: settings.PLATFORM_WALLET_ADDRESS as `0x${string}`,
      abi: platformWallet.abi,
      eventName: 'Paid',
      fromBlock: before + 1n,
    })
    if (paid.length !== payouts) throw new Error(`${paid.length} of ${payouts} payouts are on the chain`)
    const numbers = paid.map(({ blockNumber }) => Number(blockNumber))
    const blocks = Math.max(...numbers) - Math.min(...numbers) + 1
    const fewestBlocks = Math.ceil(payouts / (maxInFlight * keys))
    return { keys, payouts, blocks, fewestBlocks, seconds, statements: statements / payouts }
  } finally {
    await server.stop()
    await node.setIntervalMining({ interval: 0 })
    await node.setAutomine(true)
  }
}

/** Approves as a founder does who asks again while the response is not final. */
async function approve(baseUrl: string, bountyId: string, key: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${baseUrl}/api/bounties/${bountyId}/approve`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': bountyId,
      },
      body: '{}',
    })
    const body = (await response.json()) as { error?: { retryable: boolean } }
    if (response.ok) return
    if (!body.error?.retryable) throw new Error(`approve: ${response.status} ${JSON.stringify(body)}`)
    // A founder may wait for twenty at once; what the others ask is not what is measured.
    await delay(100)
  }
}

/** Bounties whose work waits for its approval, straight into the tables. */
async function storeBounties(url: string, project: string, count: number): Promise<string[]> {
  const rows = (await createBenchAgents(url, count)).map(({ id }, n) => ({
    agent: id,
    id: newId('bounty'),
    n,
  }))
  const client = await connect(url)
  const made = [project, JSON.stringify(rows)]
  await client.query(
    `update agents set wallet_type = 'external', wallet_address = '0x3' || lpad(to_hex(n), 39, '0')
       from json_to_recordset($1) as made (agent text, n int) where agents.id = agent`,
    made.slice(1),
  )
  await client.query(
    `insert into bounties (id, project_id, title, description, reward_amount, difficulty, status, claimed_by, claimed_at)
     select id, $1, 'Work', 'Do it.', 100, 'easy', 'in_review', agent, now()
       from json_to_recordset($2) as made (agent text, id text)`,
    made,
  )
  await client.query(
    `insert into submissions (id, bounty_id, project_id, agent_id, pr_url, review_due_at)
     select replace(id, 'bnt_', 'sub_'), id, $1, agent, 'http://127.0.0.1/bench/bench/pull/' || n + 1, now() + interval '1 day'
       from json_to_recordset($2) as made (agent text, id text, n int)`,
    made,
  )
  await client.end()
  return rows.map(({ id }) => id)
}
