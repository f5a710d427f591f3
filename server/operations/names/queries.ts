import { sql } from 'kysely'
import { prepared } from '../../db/prepared.ts'

/** The agents, projects and bounties of `ids` with their names; cancelled bounties with null. */
export const namesOf = prepared((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('agents')
    .where('id', '=', sql<string>`any(${ids})`)
    .select(['id', sql<string | null>`name`.as('name'), sql<string | null>`null::text`.as('token_symbol')])
    .unionAll(
      db
        .selectFrom('projects')
        .where('id', '=', sql<string>`any(${ids})`)
        .select(['id', sql<string | null>`name`.as('name'), 'token_symbol']),
    )
    .unionAll(
      db
        .selectFrom('bounties')
        .where('id', '=', sql<string>`any(${ids})`)
        .select([
          'id',
          sql<string | null>`case when status <> 'cancelled' then title end`.as('name'),
          sql<string | null>`null::text`.as('token_symbol'),
        ]),
    ),
)
