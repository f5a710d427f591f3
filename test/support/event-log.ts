import { sql } from 'kysely'
import type { Database } from '../../server/db/client.ts'
import { sequenceEntries } from '../../server/events/log/sequence.ts'
import type { TestMarket } from './market.ts'
import { until } from './until.ts'

/** Gives every committed entry its place in the log. */
export async function sequenceAll(db: Database): Promise<void> {
  while ((await sequenceEntries(db, 1000)) > 0);
}

/** Waits until the process has read everything that was committed, so that its newest cursor is behind all of that. */
export function logIsRead({ api, db }: Pick<TestMarket, 'api' | 'db'>, key: string): Promise<void> {
  return until(async () => {
    const { rows } = await sql<{ id: string; isNumbered: boolean }>`
      select id, not exists (select from activity where position is null) as "isNumbered"
      from activity where position is not null order by position desc limit 1`.execute(db)
    return (
      rows[0]?.isNumbered === true && (await api('GET', '/api/events', { key })).body.cursor === rows[0].id
    )
  })
}
