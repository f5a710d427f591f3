import { afterAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../support/database.ts'
import { createRows } from '../support/rows.ts'
import { expectRefused } from './support/refused.ts'

const { db, close } = await openTestDatabase()
afterAll(close)
const rows = createRows(db)

describe('webhooks', () => {
  test.each([
    ['a URL of 2,001 characters', { url: 'x'.repeat(2001) }, 'webhooks_url_check'],
    ['no types instead of all', { event_types: [] }, 'webhooks_event_types_check'],
    ['an unknown reason', { disabled_because: 'bored' as 'owner', disabled_at: new Date() }, /^webhooks_/],
    ['a reason while it is enabled', { disabled_because: 'owner' as const }, 'webhooks_disabled'],
    [
      'work while it is disabled',
      { disabled_because: 'gone' as const, disabled_at: new Date(), due_at: new Date() },
      'webhooks_disabled_rest',
    ],
    ['a warning without a failure', { warned_at: new Date() }, 'webhooks_warned'],
    ['an agent that does not exist', { agent_id: 'agent_x' }, 'webhooks_agent_id_fkey'],
  ])('refuse %s', async (_, fields, constraint) => {
    await expectRefused(rows.webhook(fields), constraint)
  })

  test.each([
    ['pending without a next attempt', { next_attempt_at: null }, 'webhook_deliveries_next'],
    ['an attempt after the end', { status: 'failed' as const }, 'webhook_deliveries_next'],
    ['an unknown status', { status: 'lost' as 'failed' }, /^webhook_deliveries_/],
    ['fewer attempts than none', { attempts: -1 }, 'webhook_deliveries_attempts_check'],
    ['a webhook that does not exist', { webhook_id: 'wh_x' }, 'webhook_deliveries_webhook_id_fkey'],
  ])('refuse a delivery with %s', async (_, fields, constraint) => {
    await expectRefused(rows.delivery(fields), constraint)
  })

  test('refuse two deliveries of one event, and two at one position', async () => {
    const webhook_id = await rows.webhook()
    const event_id = await rows.delivery({ webhook_id, position: 5 })
    await expectRefused(rows.delivery({ webhook_id, event_id, position: 6 }), 'webhook_deliveries_pkey')
    await expectRefused(rows.delivery({ webhook_id, position: 5 }), 'webhook_deliveries_newest')
  })

  test('take their deliveries with them', async () => {
    const webhook_id = await rows.webhook()
    await rows.delivery({ webhook_id })
    await db.deleteFrom('webhooks').where('id', '=', webhook_id).execute()
    const left = db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhook_id)
    expect(await left.selectAll().execute()).toEqual([])
  })
})
