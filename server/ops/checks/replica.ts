import { CompiledQuery } from 'kysely'
import { createDatabase, createPool, type Database } from '../../db/client.ts'
import { standbyProblem } from '../../db/reads/replica-identity.ts'
import { databaseErrorText } from '../../startup/connect/database.ts'
import { type Finding, ok, warn } from './finding.ts'

const about = 'DATABASE_REPLICA_URL'

/** Whether `url` is a replica of `primary`. The service works without one, so no finding is `wrong`. */
export async function checkReplica(primary: Database, url: string): Promise<Finding[]> {
  const replica = createDatabase(createPool(url, { size: 1, name: 'bounty-marketplace check' }))
  try {
    await askable(replica).run({ text: 'select 1' })
    const problem = await standbyProblem(askable(primary), askable(replica))
    if (problem === undefined) return [ok(about, 'a streaming replica of DATABASE_URL')]
    return [warn(about, `will not be used: ${problem}`)]
  } catch (error) {
    return [warn(about, `will not be used: ${databaseErrorText(error)}`)]
  } finally {
    await replica.destroy()
  }
}

function askable(db: Database) {
  return {
    run: async <Row>({ text }: { text: string }): Promise<Row[]> =>
      (await db.executeQuery<Row>(CompiledQuery.raw(text))).rows,
  }
}
