import { pino } from 'pino'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { chainAddress } from '../../../server/money/chain/address.ts'
import { tokenUnit } from '../../../server/money/chain/units.ts'
import { changesBetween } from '../../../server/money/follower/changes.ts'
import { readTrades, readWalletEvents } from '../../../server/money/follower/events.ts'
import { createTestMarket } from '../../support/market.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { chainLogOf, finalityBlocks } from './support/chain-log.ts'

const messages: string[] = []
const reasons: string[] = []
const log = pino(
  { level: 'info' },
  {
    write(line) {
      const { msg, reason } = JSON.parse(line)
      messages.push(msg)
      if (reason) reasons.push(reason)
    },
  },
)
const options = { settings: { FINALITY_BLOCKS: String(finalityBlocks) }, followMs: 50 }
const market = await createTestMarket({ proxied: true, ...options, log })
const { db, chain, chainProxy } = market
const { node } = chain
const { storedTrades, followed, follower, caughtUp, sell } = chainLogOf(market)
const account = await chain.fundedAccount()
const project = await market.activeProject()
const curve = project.curve_address
afterEach(() => chainProxy.refuse())

const buy = (tokens = 1n, on = curve) => chain.buy(account, on, tokens * tokenUnit)
const bury = () => node.mine({ blocks: 2 * finalityBlocks })
let trades = 0
/** Waits until that many more trades are stored. */
function followMore(count: number): Promise<void> {
  trades += count
  return followed(curve, trades)
}

test('payments and trades are stored once, each with its place on the chain', async () => {
  await buy(5n)
  await sell(account, curve, 2n * tokenUnit)
  const bounty = await market.doneBounty({ project })
  await followMore(2)
  await bury()
  await caughtUp()
  await buy(1n)
  await followMore(1)
  const payout = await readRow(db, 'payouts', { submission_id: bounty.submissionId })
  const receipt = await node.getTransactionReceipt({ hash: payout.tx_hash as `0x${string}` })
  const { timestamp } = await node.getBlock({ blockNumber: receipt.blockNumber })
  expect(await db.selectFrom('payments').selectAll().execute()).toEqual([
    {
      chain_id: 31_337,
      platform_wallet: chain.platformWallet.toLowerCase(),
      payout_id: payout.payout_id,
      token: project.token_address.toLowerCase(),
      from_address: project.founder.wallet_address?.toLowerCase(),
      to_address: bounty.claimant.wallet_address?.toLowerCase(),
      amount: String(95n * tokenUnit),
      fee: String(5n * tokenUnit),
      tx_hash: payout.tx_hash,
      block_number: Number(receipt.blockNumber),
      block_hash: receipt.blockHash,
      block_time: new Date(Number(timestamp) * 1000),
      log_index: receipt.logs.find(({ address }) => address === chain.platformWallet.toLowerCase())?.logIndex,
    },
  ])
})

test('a block that leaves the chain while its logs are read ends the tick, and nothing else', async () => {
  const unhandled: unknown[] = []
  const listen = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', listen)
  const { client, ...rest } = market.services.chain.require()
  const readContract = () => Promise.reject(new Error('the node is down'))
  const broken = { ...rest, client: Object.assign(Object.create(client), { readContract }) }
  const head = Number(await node.getBlockNumber())
  const [trade] = await readTrades(broken, 0, head, [chainAddress(curve)])
  const { payments } = await readWalletEvents(broken, [chainAddress(chain.platformWallet)], 0, head)
  const gone = { ...payments[0]!, block_hash: `0x${'e'.repeat(64)}` }
  await expect(changesBetween(broken, [], { payments: [gone], trades: [trade!] })).rejects.toThrow(
    'the chain has changed',
  )
  await new Promise(setImmediate)
  process.off('unhandledRejection', listen)
  expect(unhandled).toEqual([])
})

test('the cursor is a final block, at most a quarter of the blocks above it behind the last one', async () => {
  await bury()
  await caughtUp()
  const { block_number, block_hash, head_block } = await follower()
  const final = (head_block ?? 0) - finalityBlocks + 1
  expect(block_number).toBeLessThanOrEqual(final)
  expect(block_number).toBeGreaterThanOrEqual(final - finalityBlocks / 2)
  expect(block_hash).toBe((await node.getBlock({ blockNumber: BigInt(block_number) })).hash)
})

test('a reorganisation replaces the trades of the blocks that it replaced', async () => {
  await buy(3n)
  await followed(curve, trades + 1)
  await chain.reorganise(1)
  await followed(curve, trades)
  await buy(4n)
  await followMore(1)
})

test('a trade that moves to another block is stored there', async () => {
  const before = await node.snapshot()
  await buy(3n)
  await followed(curve, trades + 1)
  const [first] = (await storedTrades(curve)).slice(-1)
  await node.revert({ id: before })
  await node.mine({ blocks: 2 })
  await buy(3n)
  await followMore(1)
  expect((await storedTrades(curve)).at(-1)).not.toBe(first)
})

test('what happened while no process followed is read from where the last one stopped', async () => {
  await buy()
  await followMore(1)
  await market.stopEngines()
  await buy()
  await bury()
  await buy()
  await sell(account, curve, tokenUnit)
  expect(await storedTrades(curve)).toHaveLength(trades)
  market.startEngines()
  await followMore(3)
})

test('a process that fails in the middle goes on with the last window that it stored', async () => {
  await market.stopEngines()
  // A reading that met a reorganisation before is an outage of its own.
  messages.length = 0
  await buy()
  await node.mine({ blocks: 120 })
  await buy()
  const { block_number: start } = await follower()
  // The node lists few blocks at a time, and none of the newest.
  chainProxy.refuse(({ method, params }) => {
    if (method !== 'eth_getLogs') return undefined
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    return Number(toBlock) - Number(fromBlock) >= 60 || Number(toBlock) > start + 100 ? 'too much' : undefined
  })
  market.startEngines()
  await until(async () => (await storedTrades(curve)).length === trades + 1)
  await until(async () => (await follower()).block_number > start)
  await until(() => messages.includes("the chain's logs could not be read; trying again"))
  chainProxy.refuse()
  await followMore(2)
  await until(() => messages.includes("the chain's logs are read again"))
  expect(messages.filter((message) => message.includes('could not be read; trying again'))).toHaveLength(1)
})

test('where strangers fill the logs until a node refuses to list them, it is asked for known contracts alone', async () => {
  chainProxy.refuse(({ method, params }) =>
    method === 'eth_getLogs' && !(params[0] as { address?: unknown }).address
      ? 'too many results'
      : undefined,
  )
  await buy()
  await followMore(1)
})

test('a node that leaves out logs deletes nothing, and the cursor waits until one lists them', async () => {
  await market.doneBounty({ project })
  await buy()
  await followMore(1)
  const stored = async () => ({
    trades: await storedTrades(curve),
    payments: await db.selectFrom('payments').selectAll().orderBy('tx_hash').execute(),
  })
  const before = { ...(await stored()), follower: await follower() }
  const since = messages.length
  chainProxy.alter(({ method }, result) => (method === 'eth_getLogs' ? [] : result))
  await bury()
  await until(() => messages.slice(since).includes("the chain's logs could not be read; trying again"))
  expect(reasons.at(-1)).toMatch(/^the node leaves out logs of block \d+$/)
  expect(await stored()).toEqual({ trades: before.trades, payments: before.payments })
  expect((await follower()).block_number).toBe(before.follower.block_number)
  expect((await follower()).head_block).toBe(before.follower.head_block)
  chainProxy.alter()
  await caughtUp()
  expect((await follower()).block_number).toBeGreaterThan(before.follower.block_number)
  expect(await stored()).toEqual({ trades: before.trades, payments: before.payments })
})

test('events of contracts that the database does not know are left out', async () => {
  const other = await createTestMarket()
  onTestFinished(other.close)
  const foreign = await other.activeProject()
  await other.doneBounty({ project: foreign })
  await buy(1n, foreign.curve_address)
  await caughtUp()
  expect(await storedTrades(foreign.curve_address)).toEqual([])
  const wallets = await db.selectFrom('payments').select('platform_wallet').distinct().execute()
  expect(wallets).toEqual([{ platform_wallet: chain.platformWallet.toLowerCase() }])
})

test('trades on a curve that the database learns of late are read from its creation on', async () => {
  const late = await market.activeProject()
  await buy(2n, late.curve_address)
  await bury()
  await buy(3n, late.curve_address)
  await followed(late.curve_address, 2)
  await market.stopEngines()
  // As in a database that fell back behind the activation and was read on since.
  await setRows(db, 'activations', { project_id: late.id }, { followed_curve: null })
  await db.deleteFrom('trades').where('curve', '=', late.curve_address.toLowerCase()).execute()
  await bury()
  const { block_number } = await follower()
  market.startEngines()
  await followed(late.curve_address, 2)
  expect((await follower()).block_number).toBeGreaterThan(block_number)
})

test('what a database that fell back has lost is read again, though no block comes', async () => {
  await caughtUp()
  const before = await follower()
  await buy(2n)
  await followMore(1)
  await caughtUp()
  const { block_number, block_hash, head_block } = before
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('followers').set({ block_number, block_hash, head_block }).execute()
    await trx.deleteFrom('trades').where('block_number', '>', head_block).execute()
  })
  await followed(curve, trades)
})

test('a node that is behind the cursor is waited for', async () => {
  await bury()
  await caughtUp()
  const { block_number } = await follower()
  chainProxy.alter(({ method, params }, result) =>
    method === 'eth_getBlockByNumber' && params[0] === 'latest'
      ? { ...(result as object), number: '0x1', hash: `0x${'ab'.repeat(32)}` }
      : result,
  )
  await until(async () => {
    const { rows } = await db.executeQuery<{ behind: boolean }>({
      sql: `select clock_timestamp() - caught_up_at > interval '300 ms' as behind from followers`,
      parameters: [],
    } as never)
    return rows[0]?.behind === true
  })
  expect((await follower()).block_number).toBe(block_number)
  expect(await storedTrades(curve)).toHaveLength(trades)
  chainProxy.alter()
  await buy()
  await followMore(1)
})

test('after a reorganisation deeper than finality all logs are read again', async () => {
  const payments = () => db.selectFrom('payments').selectAll().orderBy('tx_hash').execute()
  const paid = await payments()
  const before = await node.snapshot()
  await buy(7n)
  await bury()
  await followed(curve, trades + 1)
  await caughtUp()
  await node.revert({ id: before })
  await node.mine({ blocks: 4 * finalityBlocks })
  await followed(curve, trades)
  await until(() => messages.some((message) => message.includes('reading all logs again')))
  await buy()
  await followMore(1)
  expect(await payments()).toEqual(paid)
})

test('of two processes one reads, and the other takes over', async () => {
  const second = await createTestMarket({ ...options, sharing: market })
  try {
    await buy()
    await followMore(1)
    const { lease_owner } = await follower()
    await market.stopEngines()
    await buy()
    await followMore(1)
    expect((await follower()).lease_owner).not.toBe(lease_owner)
    market.startEngines()
  } finally {
    await second.close()
  }
  await buy()
  await followMore(1)
})

test('the lag of a follower that reads is not longer than the time since its last read', async () => {
  const { caught_up_at } = await follower()
  await until(async () => (await follower()).caught_up_at > caught_up_at)
})
