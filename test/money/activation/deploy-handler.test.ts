import { randomBytes } from 'node:crypto'
import { getAddress, type TransactionReceipt } from 'viem'
import { expect, test } from 'vitest'
import { createDeployHandler } from '../../../server/money/activation/deploy-handler.ts'
import type { Chain } from '../../../server/money/chain/chain.ts'
import type { LaneTransaction } from '../../../server/money/transactions/types.ts'
import { openTestDatabase } from '../../support/database.ts'
import { createRows } from '../../support/rows.ts'
import { readRow } from '../../support/stored.ts'

const address = () => getAddress(`0x${randomBytes(20).toString('hex')}`)
const deployer = address()
const founder = address()
const depth = { head: 20, counted: 16, final: 1 }

const { db } = await openTestDatabase({ size: 2 })
const rows = createRows(db)

/** A chain on which a token is at its address since the block `since`, with this founder. */
function chainWith(token: string, since: number): Chain {
  const client = {
    getCode: async (asked: { address: string; blockNumber: bigint }) =>
      asked.address === token && asked.blockNumber >= since ? '0x00' : undefined,
    readContract: async () => founder,
  }
  return { client } as unknown as Chain
}

/**
 * Lets the handler evaluate the receipt of an activation's deploy on a chain that has the contracts since a block: what it
 * decides, and what is stored then.
 */
async function evaluated(
  status: 'success' | 'reverted',
  since: number,
  { predicted = true, blockNumber = 1n } = {},
) {
  const token = address()
  const curve = address()
  const project_id = await rows.project()
  const addresses = predicted ? { deployer, token_address: token, curve_address: curve } : {}
  await db
    .insertInto('activations')
    .values({ project_id, founder_wallet: address(), repo_url: 'https://host.example/p', ...addresses })
    .execute()
  const receipt = {
    status,
    blockNumber,
    from: deployer,
    gasUsed: 2n,
    effectiveGasPrice: 3n,
  } as TransactionReceipt
  const transaction = { entityId: project_id } as LaneTransaction & { entityId: string }
  const handler = createDeployHandler({ db, chain: chainWith(token, since), limits: { LOW_GAS_PAYOUTS: 1 } })
  const outcome = await handler.evaluateReceipt(transaction, receipt, depth)
  if (outcome.kind === 'final') await db.transaction().execute(outcome.apply)
  const project = db
    .selectFrom('projects')
    .innerJoin('activations', 'activations.project_id', 'projects.id')
    .where('projects.id', '=', project_id)
    .select([
      'projects.status',
      'projects.founder_wallet',
      'projects.token_address',
      'projects.curve_address',
    ])
    .select(['activations.status as activation', 'gas_reserved_wei'])
  const active = {
    status: 'active',
    activation: 'done',
    gas_reserved_wei: '6',
    token_address: token,
    curve_address: curve,
    founder_wallet: founder,
  }
  return { outcome, stored: await project.executeTakeFirstOrThrow(), active }
}

test('a success makes the project active, with the founder of the chain', async () => {
  const { stored, active } = await evaluated('success', 16)
  expect(stored).toEqual(active)
})

test('a success is not looked for in the state of old blocks, which a node may have forgotten', async () => {
  const { stored, active } = await evaluated('success', depth.head)
  expect(stored).toEqual(active)
})

test('a revert makes the project active where its contracts are deep enough', async () => {
  const { stored, active } = await evaluated('reverted', 16)
  expect(stored).toEqual(active)
})

test('a revert decides nothing while the contracts are in a block that does not count', async () => {
  const { outcome, stored } = await evaluated('reverted', 17)
  expect(outcome).toEqual({ kind: 'wait' })
  expect(stored).toMatchObject({ status: 'proposed', activation: 'running' })
})

test.each([
  ['the contracts are not at their addresses', 21, {}],
  ['no addresses were predicted', 16, { predicted: false }],
] as const)('a person decides about a success where %s', async (_, since, options) => {
  const { outcome, stored } = await evaluated('success', since, options)
  expect(outcome).toEqual({ kind: 'anomaly', problem: expect.stringContaining('exactly the project') })
  expect(stored).toMatchObject({ status: 'proposed', activation: 'running' })
})

test('a success without contracts decides nothing until its block is final: a node may lag behind', async () => {
  const { outcome } = await evaluated('success', 21, { blockNumber: 2n })
  expect(outcome).toEqual({ kind: 'wait' })
})

test('a revert without contracts fails the activation, which has cost its gas', async () => {
  const { stored } = await evaluated('reverted', 21)
  expect(stored).toMatchObject({ status: 'proposed', activation: 'failed', gas_reserved_wei: '6' })
})

test.each([
  ['goes on with another key that has ether', 10n ** 18n, 'running'],
  ['fails where none has ether', 0n, 'failed'],
])('an activation whose key has no ether %s', async (_, balance, status) => {
  const own = address()
  const other = address()
  const { client } = chainWith(address(), depth.head)
  const reads = {
    getGasPrice: async () => 10n ** 9n,
    getBalance: async (asked: { address: string }) => (asked.address === own ? 0n : balance),
  }
  const operators = [{ address: own }, { address: other }]
  const chain = { client: { ...client, ...reads }, operators } as unknown as Chain
  const handler = createDeployHandler({ db, chain, limits: { LOW_GAS_PAYOUTS: 1 } })
  const project_id = await rows.project()
  await db.insertInto('activations').values({ project_id, founder_wallet: founder }).execute()
  const transaction = { entityId: project_id } as Parameters<typeof handler.prepare>[0]
  const preparation = await handler.prepare(transaction, own, depth)
  if (preparation.next !== 'refuse') throw new Error(preparation.next)
  await db.transaction().execute(preparation.apply)
  expect(await readRow(db, 'activations', { project_id })).toMatchObject({ status })
})
