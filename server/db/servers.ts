import type { Target } from '../config/postgres-servers.ts'

/** What a server is, as a new session sees it. */
export interface Session {
  isStandby: boolean
  isReadOnly: boolean
  /** Each promotion begins a higher one. 0 on a standby, and where {@link sessionStatement} has not asked for it. */
  timeline: number
}

/** The expression that reads the timeline a primary writes on. 0 on a standby. */
export const timelineOfPrimary = `case when pg_is_in_recovery() then 0
  else ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int end`

/** The statement that reads {@link Session}. Not every service that hosts Postgres lets its users read `timeline`. */
export const sessionStatement = (timeline = '0') =>
  `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
  ${timeline} as timeline`

type Condition = (session: Session) => boolean
const isAny: Condition = () => true
const isStandby: Condition = (session) => session.isStandby

/** For each target which servers are preferred, and which are accepted if there is none of those. */
const conditions: Record<Target, { preferred: Condition; accepted: Condition }> = {
  any: always(isAny),
  'read-write': always(({ isReadOnly }) => !isReadOnly),
  'read-only': always(({ isReadOnly }) => isReadOnly),
  primary: always((session) => !isStandby(session)),
  standby: always(isStandby),
  'prefer-standby': { preferred: isStandby, accepted: isAny },
}

function always(condition: Condition) {
  return { preferred: condition, accepted: condition }
}

/** Which servers a target prefers and accepts. */
export const conditionsOf = (target: Target) => conditions[target]
