import { sql } from 'kysely'
import { prepared } from '../../db/prepared.ts'

const count = (column: Parameters<typeof sql.ref>[0]) => sql<number>`sum(${sql.ref(column)})::bigint`

/** The counters that triggers keep, summed over their shards; `rewards_paid` is in whole tokens. */
export const statistics = prepared((db, _: object) =>
  db
    .selectFrom('statistics')
    .select([
      count('agents').as('agents'),
      count('projects_proposed').as('proposed'),
      count('projects_active').as('active'),
      count('bounties_open').as('open'),
      count('bounties_claimed').as('claimed'),
      count('bounties_in_review').as('in_review'),
      count('bounties_done').as('done'),
      count('submissions').as('submissions'),
      sql<string>`sum(rewards_paid)::text`.as('rewards_paid'),
    ]),
)
