import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { platformWallet } from '../../../server/chain/generated/contracts.ts'
import { anvilClient } from '../../../server/embedded/chain/anvil-client.ts'
import { maxInFlight } from '../../../server/engines/transactions/types.ts'
import type { Bench } from '../harness/bench.ts'
import { logStatements, statementsDuring } from '../harness/capture.ts'
import { atMost, type PartResult } from '../harness/results/report.ts'
import { show } from '../harness/results/statistics.ts'
import { startServer } from '../harness/server.ts'
import { foundProject } from './founded.ts'

/** What one run came to. */
interface Run {
  keys: number
  payouts: number
  /** Payouts in each block from the first to the last. */
  perBlock: number[]
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
          ...[run.keys, run.payouts, run.perBlock.length, run.fewestBlocks].map(String),
          ...[show(run.seconds), show(run.statements)],
        ]),
      },
    ],
    findings: [
      ...runs.map(({ keys, payouts, perBlock, fewestBlocks }) =>
        atMost(`${payouts} payouts, ${keys} key(s): blocks`, fewestBlocks, perBlock.length),
      ),
      atMost('statements a payout, at most', 20, Math.max(...runs.map(({ statements }) => statements))),
    ],
    data: { runs },
  }
}

async function run(bench: Bench, keys: number, payouts: number): Promise<Run> {
  const { settings, spareOperatorKeys } = bench.surroundings
  const node = anvilClient(settings.CHAIN_RPC_URL ?? '')
  const url = await bench.postgres.create(`bench_payouts_${keys}`)
  await logStatements(url, true)
  const [ours] = bench.ours(url, { OPERATOR_PRIVATE_KEYS: spareOperatorKeys.slice(0, keys).join(',') })
  if (!ours) throw new Error('no server')
  const server = await startServer(ours, bench.placement.everything)
  try {
    const { agent, project } = await foundProject(server.url)
    const bounties = await storeBounties(url, project.id, payouts)
    await node.setAutomine(false)
    await node.setIntervalMining({ interval: 1 })
    const since = await nextBlock(node)
    const began = performance.now()
    const logged = await statementsDuring(bench.postgres.logPath, () =>
      Promise.all(bounties.map((id) => approve(server.url, id, agent.api_key))),
    )
    const seconds = (performance.now() - began) / 1000
    const perBlock = await payoutsPerBlock(node, settings.PLATFORM_WALLET_ADDRESS as `0x${string}`, since)
    const paid = perBlock.reduce((sum, count) => sum + count, 0)
    if (paid !== payouts) throw new Error(`${paid} of ${payouts} payouts are on the chain`)
    const fewestBlocks = Math.ceil(payouts / (maxInFlight * keys))
    return { keys, payouts, perBlock, fewestBlocks, seconds, statements: logged.length / payouts }
  } finally {
    await server.stop()
    await node.setIntervalMining({ interval: 0 })
    await node.setAutomine(true)
  }
}

type Node = ReturnType<typeof anvilClient>

/** Waits for a block, so that every run begins with a whole second before the next one. */
async function nextBlock(node: Node): Promise<bigint> {
  const before = await node.getBlockNumber()
  for (;;) {
    const now = await node.getBlockNumber()
    if (now > before) return now
    await new Promise((resolve) => setTimeout(resolve, 5))
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
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function payoutsPerBlock(node: Node, address: `0x${string}`, since: bigint): Promise<number[]> {
  const { abi } = platformWallet
  const events = await node.getContractEvents({ address, abi, eventName: 'Paid', fromBlock: since + 1n })
  const numbers = events.map(({ blockNumber }) => Number(blockNumber))
  const first = Math.min(...numbers)
  const counts = Array.from({ length: Math.max(...numbers) - first + 1 }, () => 0)
  for (const number of numbers) counts[number - first] = (counts[number - first] ?? 0) + 1
  return counts
}

/** Bounties whose work waits for its approval, straight into the tables. */
async function storeBounties(url: string, project: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => randomBytes(10).toString('hex'))
  const wallets = names.map(() => privateKeyToAddress(generatePrivateKey()))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const each = 'unnest($1::text[], $2::text[]) with ordinality as made (name, wallet, n)'
  await client.query(
    `insert into agents (id, name, wallet_address, wallet_type, key_id, key_hash)
     select 'agt_' || name, 'Contributor', wallet, 'external', 'bench-' || name, '$argon2id$bench' from ${each}`,
    [names, wallets],
  )
  await client.query(
    `insert into bounties (id, project_id, title, description, reward_amount, difficulty, status, claimed_by, claimed_at)
     select 'bnt_' || name, $3, 'Work', 'Do it.', 100, 'easy', 'in_review', 'agt_' || name, now() from ${each}`,
    [names, wallets, project],
  )
  await client.query(
    `insert into submissions (id, bounty_id, project_id, agent_id, pr_url, review_due_at)
     select 'sub_' || name, 'bnt_' || name, $3, 'agt_' || name, 'http://127.0.0.1/bench/bench/pull/' || n,
            now() + interval '1 day' from ${each}`,
    [names, wallets, project],
  )
  await client.end()
  return names.map((name) => `bnt_${name}`)
}
