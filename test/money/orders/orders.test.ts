import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../../server/db/transaction.ts'
import { type Edge, type EdgeOf, type OrderKind, orders } from '../../../server/money/orders/edges.ts'
import { beginOrder, moveOrder, moveOrderIf } from '../../../server/money/orders/move.ts'
import { openTestDatabase } from '../../support/database.ts'
import { createRows } from '../../support/rows.ts'

// What each kind of order has to pass.

const { db } = await openTestDatabase({ size: 1 })
const rows = createRows(db)

const hash = `0x${'1'.repeat(64)}`
const address = `0x${'2'.repeat(40)}`
const error = { error_code: 'payout_failed', error: 'Why.' }
const contracts = { repo_url: 'https://host.example/a/b', token_address: address, curve_address: address }
const locked = { fund_tx: hash, locked_until: new Date() }
const made = { ...contracts, deployer: address }

/** Columns that a row needs at a status. */
const needed: Record<OrderKind, Record<string, object>> = {
  payout: { settled: { tx_hash: hash, settled_at: new Date() }, failed: error },
  activation: { done: made, failed: error },
  relay: { confirmed: { tx_hash: hash, confirmed_at: new Date() }, failed: error },
  deposit: {
    locked,
    failed: error,
    refunding: locked,
    refunded: { ...locked, end_tx: hash },
    paid: { ...locked, end_tx: hash },
  },
}
/** Columns that callers write with an edge. */
const given: Record<string, object> = {
  settled: { tx_hash: hash },
  done: made,
  confirmed: { tx_hash: hash },
  failed: error,
  needs_operator: { error: 'Why.' },
  locked,
  refunded: { end_tx: hash },
  paid: { end_tx: hash },
}

async function storeOrder(kind: OrderKind, status: string): Promise<string> {
  const columns = { status, ...needed[kind][status] } as object
  if (kind === 'payout') return rows.payout(columns)
  if (kind === 'relay') return rows.relay(columns)
  if (kind === 'deposit') return rows.deposit(columns)
  const project_id = await rows.project()
  await db
    .insertInto('activations')
    .values({ project_id, founder_wallet: address, ...columns })
    .execute()
  return project_id
}

async function stored(kind: OrderKind, id: string): Promise<Record<string, unknown>> {
  const { table, key } = orders[kind]
  const { rows: found } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}
    where ${sql.ref(key)} = ${id}`.execute(db)
  return found[0] ?? {}
}

const kinds = Object.keys(orders) as OrderKind[]
const edgesOf = (kind: OrderKind) => Object.entries<Edge<OrderKind>>(orders[kind].edges)

describe.each(kinds)('%s', (kind) => {
  const edges = edgesOf(kind)
  const statuses = Object.keys(orders[kind].at)

  test('the database allows exactly the moves of the table', async () => {
    const { rows: found } = await sql<{ definition: string }>`
      select pg_get_triggerdef(oid) as definition from pg_trigger
      where tgname = ${`${orders[kind].table}_transition`}`.execute(db)
    const allowed = [...(found[0]?.definition ?? '').matchAll(/'(\w+>\w+)'/g)].map(([, move]) => move)
    const moves = edges.flatMap(([, { from, to }]) =>
      from.filter((status) => status !== null && status !== to).map((status) => `${status}>${to}`),
    )
    expect(allowed.toSorted()).toEqual([...new Set(moves)].toSorted())
  })

  const moves = edges
    .filter(([name]) => name !== 'begin')
    .flatMap(([name, edge]) => statuses.map((status) => ({ name, status, edge })))
  test.each(moves)('$name of one that is $status', async ({ name, status, edge }) => {
    const id = await storeOrder(kind, status)
    const before = await stored(kind, id)
    const isMoved = await moveOrderIf(db, kind, name as EdgeOf<typeof kind>, id, given[edge.to])
    const after = await stored(kind, id)
    expect(isMoved).toBe((edge.from as readonly unknown[]).includes(status))
    if (isMoved) expect(after).toMatchObject({ status: edge.to, ...given[edge.to] })
    else expect(after).toEqual(before)
  })

  test('one that is not where an edge leads from is an error where its row was read', async () => {
    const id = await storeOrder(kind, 'failed')
    await expect(moveOrder(db, kind, 'resume', id)).rejects.toThrow(`${kind} ${id} cannot resume`)
  })
})

test.each([
  { status: 'failed', begins: true },
  { status: 'running', begins: false },
  { status: 'settled', begins: false },
  { status: 'needs_operator', begins: false },
])('a payout that is $status begins again: $begins', async ({ status, begins }) => {
  const id = await storeOrder('payout', status)
  const before = await stored('payout', id)
  const { payout_id, chain_id, platform_wallet, token, from_address, to_address, fee } = before as never
  const terms = { payout_id, chain_id, platform_wallet, token, from_address, to_address, fee }
  const again = inTransaction(db, (trx) =>
    beginOrder(trx, 'payout', { submission_id: id, ...terms, amount: '7' }),
  )
  if (!begins) await expect(again).rejects.toThrow('cannot begin from where it is')
  else {
    await again
    const begun = { status: 'running', round: 2, amount: '7', error_code: null, error: null }
    expect(await stored('payout', id)).toMatchObject(begun)
  }
})

test('an activation that begins again keeps its repository, and has no transaction', async () => {
  const id = await storeOrder('activation', 'failed')
  const { repo_url } = contracts
  await db.updateTable('activations').set({ repo_url }).where('project_id', '=', id).execute()
  const other = `0x${'3'.repeat(40)}`
  await beginOrder(db, 'activation', { project_id: id, founder_wallet: other })
  const begun = { status: 'running', round: 2, founder_wallet: other, repo_url, transaction_id: null }
  expect(await stored('activation', id)).toMatchObject(begun)
})

test('one file writes orders', () => {
  const server = join(import.meta.dirname, '../../../server')
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const tables = Object.values(orders).map(({ table }) => table)
  const writes = new RegExp(`(updateTable|insertInto|deleteFrom|mergeInto)\\('(${tables.join('|')})'`)
  expect(files.filter((name) => writes.test(readFileSync(join(server, name), 'utf8')))).toEqual([])
})
