/** Runs a statement on one of the two servers. */
interface Server {
  run<Row>(statement: { text: string }): Promise<Row[]>
}

interface Identity {
  standby: boolean
  cluster: string
  database: string
  timeline: number
}

const common = `pg_is_in_recovery() as standby, (select system_identifier from pg_control_system())::text as cluster,
  (select oid from pg_database where datname = current_database())::text as database`

/**
 * After a failover a standby may be ahead on the old timeline, where positions mean other commits. It is trusted once it
 * asks for the new timeline: Postgres does that only if the timeline begins at or after what it has replayed. Without the
 * role pg_read_all_stats, which shows that, it is trusted once its control file has the new timeline, after its first
 * restart point there.
 */
const standbyStatement = {
  text: `select ${common}, greatest((select timeline_id from pg_control_checkpoint()),
    (select min_recovery_end_timeline from pg_control_recovery()),
    (select received_tli from pg_stat_wal_receiver where status = 'streaming')) as timeline`,
}
/** Each promotion begins a higher timeline. */
const primaryStatement = {
  text: `select ${common}, case when pg_is_in_recovery() then 0
    else ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int end as timeline`,
}

/** Why `replica` is no streaming replica of the database behind `primary`; undefined where it is one. Never throws. */
export async function standbyProblem(primary: Server, replica: Server): Promise<string | undefined> {
  try {
    const [[of], [is]] = await Promise.all([
      primary.run<Identity>(primaryStatement),
      replica.run<Identity>(standbyStatement),
    ])
    if (!of || !is) return 'it does not report its identity'
    if (of.standby) return 'DATABASE_URL is a replica itself'
    if (!is.standby) return 'it is no replica: it takes writes of its own'
    if (is.cluster !== of.cluster) return 'it is a replica of another database server'
    if (is.database !== of.database) return 'it is another database of the same server'
    if (is.timeline !== of.timeline) return 'it has not followed the primary since a failover'
    return undefined
  } catch (error) {
    return `it does not report its identity: ${error instanceof Error ? error.message : 'unknown error'}`
  }
}
