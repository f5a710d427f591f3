import { type Insertable, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Activity } from '../../server/db/generated/tables.ts'
import { newId } from '../../server/ids.ts'
import { openTestDatabase } from '../support/database.ts'
import { claimTerms, createRows } from '../support/rows.ts'
import { expectRefused } from './support/refused.ts'

const { db } = await openTestDatabase()
const rows = createRows(db)

/*
 * What depends on other rows, on the time or on what was there before, and all that money hangs on. A check of one row's own
 * columns is its own text: migrate.test.ts compares migrations/schema.sql with what the migrations make.
 */
const address = `0x${'a'.repeat(40)}`
const held = async () => ({ claimed_by: await rows.agent(), claimed_at: new Date() })

describe('projects', () => {
  test('refuse the token of another project, in any letter case', async () => {
    const active = (token_address: string, curve_address: string) =>
      rows.project({ status: 'active', founder_wallet: address, repo_url: 'r', token_address, curve_address })
    await active(`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`)
    await expectRefused(active(`0x${'AB'.repeat(20)}`, `0x${'01'.repeat(20)}`), 'projects_token')
    await expectRefused(active(`0x${'02'.repeat(20)}`, `0x${'CD'.repeat(20)}`), 'projects_curve')
  })
})

describe('bounties', () => {
  test.each(['claimed', 'in_review'] as const)(
    'refuse a second active claim while the first is %s',
    async (status) => {
      const project_id = await rows.project()
      const claim = await held()
      await rows.bounty({ project_id, status, ...claim })
      const second = await rows.bounty({ project_id })
      const write = db.updateTable('bounties').set({ status: 'claimed', ...claim, ...claimTerms('claimed') })
      await expectRefused(write.where('id', '=', second).execute(), 'bounties_one_active_claim')
      await rows.bounty({ status: 'claimed', ...claim })
      await rows.bounty({ project_id, status: 'done', ...claim })
    },
  )
})

describe('claims', () => {
  const change = (id: string, fields: object) =>
    db.updateTable('bounties').set(fields).where('id', '=', id).execute()

  const over = () => ({ claim_expires_at: new Date(Date.now() - 60_000) })

  test('refuse another claimant before the end, after it until an outage is made up for, and in review', async () => {
    const id = await rows.bountyAt('claimed')
    const claimed_by = await rows.agent()
    await expectRefused(change(id, { claimed_by }), 'bounties_claim_kept')
    await change(id, over())
    const until = (moment: string) =>
      sql`update heartbeat set nothing_lapses_before = now() + ${moment}::interval`.execute(db)
    await until('1 minute')
    await expectRefused(change(id, { claimed_by }), 'bounties_claim_kept')
    await until('-1 minute')
    await change(id, { claimed_by })
    await expectRefused(change(await rows.bountyAt('in_review'), { claimed_by }), 'bounties_claim_kept')
  })

  test('refuse another claimant together with another end', async () => {
    const id = await rows.bountyAt('claimed')
    await expectRefused(change(id, { claimed_by: await rows.agent(), ...over() }), 'bounties_claim_kept')
  })
})

describe('submissions', () => {
  test.each(['pending', 'approving'] as const)(
    'refuse a second one while the first is %s',
    async (status) => {
      const bounty_id = await rows.bounty()
      await rows.submission({ bounty_id, status })
      await expectRefused(rows.submission({ bounty_id }), 'submissions_one_unreviewed')
      await rows.submission({ bounty_id, status: 'rejected', reviewed_at: new Date() })
    },
  )

  test('refuse a second approved one', async () => {
    const bounty_id = await rows.bounty()
    const approved = { bounty_id, status: 'approved' as const, reviewed_at: new Date() }
    await rows.submission(approved)
    await expectRefused(rows.submission(approved), 'submissions_one_approved')
  })
})

describe('transactions', () => {
  const hash = `0x${'c'.repeat(64)}`
  const send = async (fields: Record<string, unknown>) => {
    const all = {
      chain_id: 1,
      purpose: 'payout',
      entity_id: 'sub_1',
      to_address: address,
      data: Buffer.alloc(0),
      ...fields,
    }
    const columns = sql.join(Object.keys(all).map((column) => sql.ref(column)))
    const { rows: written } = await sql<{ id: number }>`
      insert into transactions (${columns}) values (${sql.join(Object.values(all))}) returning id`.execute(db)
    return written[0]?.id as number
  }
  const signed = (nonce: number, entity_id: string) => ({
    entity_id,
    status: 'unconfirmed',
    from_address: address,
    nonce,
    gas_limit: 1,
  })

  test('refuse two live ones for one payout', async () => {
    await send({ entity_id: 'sub_twice' })
    await expectRefused(send({ entity_id: 'sub_twice' }), /^transactions_one_/)
  })

  test('refuse a nonce twice', async () => {
    await send(signed(7, 'sub_a'))
    await expectRefused(send(signed(7, 'sub_b')), /^transactions_chain_id_from_address_nonce/)
  })

  test('refuse to forget or change what was signed', async () => {
    const attempt = {
      hash,
      transaction_id: await send(signed(8, 'sub_c')),
      raw: Buffer.of(0xab, 0xcd),
      max_fee_per_gas: 1,
      max_priority_fee_per_gas: 1,
      head_block: 1,
    }
    await db.insertInto('transaction_attempts').values(attempt).execute()
    const changes = [
      db.deleteFrom('transaction_attempts').where('hash', '=', hash).execute(),
      db
        .updateTable('transaction_attempts')
        .set({ raw: Buffer.of(0xdc, 0xba) })
        .where('hash', '=', hash)
        .execute(),
    ]
    for (const change of changes) await expect(change).rejects.toThrow('never forgotten or changed')
    await db.updateTable('transaction_attempts').set({ sends: 1 }).where('hash', '=', hash).execute()
  })
})

describe('relays', () => {
  const hash = `0x${'c'.repeat(64)}`
  test.each([
    ['nothing', { amount: 0 }, /^relays_check/],
    [
      'a permit that pays ETH',
      { kind: 'permit' as const, as_eth: true, request_digest: null },
      /^relays_check/,
    ],
    ['a withdrawal without its request', { request_digest: null }, /^relays_check/],
    ['tokens for ETH', { eth_paid: 1 }, /^relays_check/],
    ['a nonce that is none', { nonce: '0x1' }, 'relays_nonce_check'],
    ['a hash while running', { tx_hash: hash }, 'relays_hash'],
    [
      'confirmed without a hash',
      { status: 'confirmed' as const, confirmed_at: new Date() },
      'relays_confirmed_hash',
    ],
    ['confirmed without a time', { status: 'confirmed' as const, tx_hash: hash }, /^relays_check/],
    ['failed without a reason', { status: 'failed' as const }, /^relays_check/],
    ['a moved amount while running', { amount_moved: 1 }, 'relays_moved'],
    ['an agent that does not exist', { agent_id: 'agent_x' }, 'relays_agent_id_fkey'],
  ])('refuse %s', async (_, fields, constraint) => {
    await expectRefused(rows.relay(fields), constraint)
  })

  test('refuse a nonce of a wallet twice', async () => {
    const same = { wallet: address, nonce: hash }
    await rows.relay(same)
    await expectRefused(rows.relay(same), 'relays_one_nonce')
  })

  test('refuse two running permits of a project', async () => {
    const permit = { kind: 'permit' as const, request_digest: null, project_id: await rows.project() }
    const first = await rows.relay(permit)
    await expectRefused(rows.relay(permit), 'relays_one_permit')
    await db
      .updateTable('relays')
      .set({ status: 'failed', error_code: 'authorization_expired', error: 'It has expired.' })
      .where('id', '=', first)
      .execute()
    await rows.relay(permit)
    // One that the chain has taken back.
    await rows.relay({ ...permit, confirmed_at: new Date() })
  })

  test('refuse to change what was signed', async () => {
    const id = await rows.relay()
    const changes = [
      { amount: 2 },
      { recipient: address },
      { nonce: hash },
      { valid_before: 2 },
      { token: address },
    ]
    for (const change of changes)
      await expect(db.updateTable('relays').set(change).where('id', '=', id).execute()).rejects.toThrow(
        'never changed',
      )
  })
})

describe('activity', () => {
  const entry = (fields: Partial<Insertable<Activity>>) =>
    db
      .insertInto('activity')
      .values({ id: newId('activity'), type: 'agent.registered', ...fields })
      .execute()

  test.each(['withdrawal.requested', 'allowance.failed', 'wallet.exported', 'key.rotated'] as const)(
    'refuse a public %s',
    async (type) => {
      await expectRefused(entry({ type }), 'activity_private_types')
      await entry({ type, visibility: 'private' })
    },
  )
})

describe('what is read from the chain', () => {
  const place = {
    chain_id: 1,
    block_number: 7,
    log_index: 3,
    block_hash: '0x7',
    block_time: new Date(),
    tx_hash: '0x8',
  }
  const trade = {
    ...place,
    curve: address,
    side: 'buy' as const,
    trader: address,
    recipient: address,
    amount: '1',
    eth: '1',
    fee: '0',
    sold: '1',
    price: '1',
  }

  test('refuses two events at one place', async () => {
    const payment = {
      ...place,
      platform_wallet: address,
      payout_id: '0x1',
      token: address,
      amount: '1',
      fee: '0',
      from_address: address,
      to_address: address,
    }
    await db.insertInto('payments').values(payment).execute()
    await expectRefused(
      db
        .insertInto('payments')
        .values({ ...payment, payout_id: '0x2' })
        .execute(),
      'payments_pkey',
    )
    await db.insertInto('trades').values(trade).execute()
    await expectRefused(db.insertInto('trades').values(trade).execute(), 'trades_pkey')
  })
})
