import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createEventLog } from '../../../server/events/log/event-log.ts'
import { createEventReader, type EventQuery } from '../../../server/events/log/reader.ts'
import { sequenceEntries } from '../../../server/events/log/sequence.ts'
import { recordActivity } from '../../../server/events/record.ts'
import { openTestDatabase } from '../../support/database.ts'
import { createRows } from '../../support/rows.ts'

const { db } = await openTestDatabase({ size: 5 })
const rows = createRows(db)

test('a reader whose cursor was lost gets one that the database knows, from a process that has not noticed yet', async () => {
  for (let count = 0; count < 2; count++)
    await recordActivity(db, { type: 'agent.registered', agent_id: await rows.agent() })
  await sequenceEntries(db, 10)
  // Its loop does not run, so it learns nothing by itself.
  const eventLog = createEventLog({
    db,
    timing: { eventsMs: 500 },
    log: pino({ level: 'silent' }),
  })
  const reader = createEventReader(db, eventLog, { retentionDays: 30, mostWaits: 1 })
  const newest = await eventLog.tip()
  await db.deleteFrom('activity').where('id', '=', newest).execute()

  const query: EventQuery = { countedAs: 'a', agentId: null, mine: false, own: true, limit: 10, waitMs: 0 }
  const ofOtherProcess = await reader.read({ ...query, after: 'act_lost' }, new AbortController().signal)
  expect(ofOtherProcess).toMatchObject({ events: [], truncated: true })
  const next = await reader.read({ ...query, after: ofOtherProcess.cursor }, new AbortController().signal)
  expect(next).toMatchObject({ events: [], truncated: false })
  expect(ofOtherProcess.cursor).not.toBe(newest)
})
