import { type RawBuilder, sql } from 'kysely'
import { within } from '../config/time-limit.ts'
import type { Database } from '../db/client.ts'
import { runOn, toPrepare } from '../db/prepared.ts'

/** Whether the database has work for a loop, as an SQL condition. */
type Condition = () => RawBuilder<unknown>

/** How long a look waits for other loops that ask, and how long these wait for it, in ms. */
const gatherMs = 10
const patienceMs = 500

/** What the loops on each database ask, and the look that is under way. */
const looks = new WeakMap<Database, { conditions: Set<Condition>; next?: ReturnType<typeof lookFor> }>()

/**
 * Lets a loop ask whether there is work for it, together with all loops on the database: in one statement that writes nothing
 * and asks what is true, so there is no message to lose. Where that fails or is slow, there may be work. What the condition
 * lacks is found after `restMs`.
 */
export function askForWork(db: Database, condition: Condition, restMs = 15_000): () => Promise<boolean> {
  const look = looks.get(db) ?? { conditions: new Set() }
  looks.set(db, look)
  look.conditions.add(condition)
  let workedAt = performance.now()
  return async () => {
    look.next ??= lookFor(db, [...look.conditions]).finally(() => {
      look.next = undefined
    })
    // The loops themselves report that the database fails.
    const found = await within(patienceMs, look.next, () => undefined).catch(() => undefined)
    const isDue = found?.get(condition) ?? true
    if (!isDue && performance.now() - workedAt < restMs) return false
    workedAt = performance.now()
    return true
  }
}

/** Always asks for all conditions, so that the text stays the same: planning it takes ten times as long as running it. */
async function lookFor(db: Database, asked: Condition[]): Promise<Map<Condition, boolean>> {
  await new Promise((resolve) => setTimeout(resolve, gatherMs))
  const all = sql.join(asked.map((condition) => sql`(${condition()}) is true`))
  const query = sql`select array[${all}]::boolean[] as due`.compile(db)
  const [row] = await runOn(db, toPrepare<{ due: boolean[] }>(query.sql, query.parameters))
  return new Map(asked.map((condition, index) => [condition, row?.due[index] ?? true]))
}
