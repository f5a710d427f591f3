import { CompiledQuery } from 'kysely'
import { type Finding, ok, warn } from '../../config/finding.ts'
import { createDatabase, createPool, type Database } from '../../db/client.ts'
import { standbyProblem } from '../../db/reads/replica-identity.ts'
import { databaseErrorText } from '../../startup/connect/database.ts'

const about = 'DATABASE_REPLICA_URL'

const missingGrant =
  'after a failover it is used only from its next restart point on, because the role may not see whom it follows: grant pg_read_all_stats to the role'

/** Whether `url` is a replica of `primary`. The service works without one, so no finding is `wrong`. */
export async function checkReplica(primary: Database, url: string): Promise<Finding[]> {
  const replica = createDatabase(
    createPool(url, { size: 1, name: 'bounty-marketplace check', mayBeStandby: true }),
  )
  try {
    await askable(replica).run({ text: 'select 1' })
    const problem = await standbyProblem(askable(primary), askable(replica))
    const state =
      problem === undefined
        ? ok(about, 'a streaming replica of DATABASE_URL')
        : warn(about, `will not be used: ${problem}`)
    return (await seesTimeline(replica)) ? [state] : [state, warn(about, missingGrant)]
  } catch (error) {
    return [warn(about, `will not be used: ${databaseErrorText(error)}`)]
  } finally {
    await replica.destroy()
  }
}

async function seesTimeline(replica: Database): Promise<boolean> {
  const [row] = await askable(replica).run<{ sees: boolean }>({
    text: `select pg_has_role('pg_read_all_stats', 'usage') as sees`,
  })
  return row?.sees === true
}

function askable(db: Database) {
  return {
    run: async <Row>({ text }: { text: string }): Promise<Row[]> =>
      (await db.executeQuery<Row>(CompiledQuery.raw(text))).rows,
  }
}
