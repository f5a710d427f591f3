import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventTypes, privateTypes, typesOf } from '../../server/events/kinds.ts'
import { recordActivities } from '../../server/events/record.ts'
import { openTestDatabase } from '../support/database.ts'
import { createRows } from '../support/rows.ts'

const { db } = await openTestDatabase({ size: 1 })
const rows = createRows(db)

const quoted = (definition: string | undefined) =>
  [...(definition ?? '').matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, type]) => type ?? '').toSorted()

test('the database knows the types of the table and no others', async () => {
  const { rows: found } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'activity_type_check'`.execute(
    db,
  )
  expect(quoted(found[0]?.definition)).toEqual(eventTypes.toSorted())
})

test('the index of conversations has the types that have words', async () => {
  const { rows: found } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where indexname = 'activity_conversation'`.execute(db)
  const spoken = ['comment.created', ...typesOf(({ words }) => words)]
  expect(quoted(found[0]?.definition)).toEqual(spoken.toSorted())
})

test.each(eventTypes)('the database keeps %s to its agent if the table does', async (type) => {
  const entry = { id: `act_${type}`, type, agent_id: await rows.agent() }
  const stored = await db
    .insertInto('activity')
    .values(entry)
    .execute()
    .then(
      () => 'public',
      () => 'private',
    )
  expect(stored).toBe((privateTypes as string[]).includes(type) ? 'private' : 'public')
})

test('agent, founder and audience of what is public are notified once each, of what is private its agent alone', async () => {
  const [founder_id, agent, other] = [await rows.agent(), await rows.agent(), await rows.agent()]
  const project_id = await rows.project({ founder_id })
  const of = { agent_id: agent, project_id }
  await recordActivities(db, [
    { ...of, type: 'bounty.claimed' },
    { ...of, type: 'bounty.updated', agent_id: founder_id, audience: [other, agent, founder_id] },
    { ...of, type: 'withdrawal.failed', visibility: 'private' },
    { type: 'agent.registered', agent_id: other },
  ])
  const stored = db.selectFrom('activity').select('recipients').where('project_id', '=', project_id)
  const recipients = (await stored.orderBy('seq').execute()).map((row) => row.recipients.toSorted())
  expect(recipients).toEqual([[agent, founder_id].toSorted(), [founder_id, other, agent].toSorted(), [agent]])
})
