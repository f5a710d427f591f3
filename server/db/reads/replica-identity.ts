/** Runs a statement on one of the two servers. */
interface Asked {
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
 * After a failover a standby may have run ahead on the timeline that was left, where positions mean other commits. It
 * shows the new timeline in its control file once it has followed it for a checkpoint, and is not believed before.
 */
const standbyQuestion = {
  text: `select ${common}, greatest((select timeline_id from pg_control_checkpoint()),
    (select min_recovery_end_timeline from pg_control_recovery())) as timeline`,
}
const primaryQuestion = {
  text: `select ${common}, case when pg_is_in_recovery() then 0 else
    ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int end as timeline`,
}

/** Why `replica` is no streaming replica of the database behind `primary`; undefined where it is one. Never throws. */
export async function standbyProblem(primary: Asked, replica: Asked): Promise<string | undefined> {
  try {
    const [[of], [is]] = await Promise.all([
      primary.run<Identity>(primaryQuestion),
      replica.run<Identity>(standbyQuestion),
    ])
    if (!of || !is) return 'it does not say what it is'
    if (of.standby) return 'DATABASE_URL is a replica itself'
    if (!is.standby) return 'it is no replica: it takes writes of its own'
    if (is.cluster !== of.cluster) return 'it is a replica of another database server'
    if (is.database !== of.database) return 'it is another database of the same server'
    if (is.timeline !== of.timeline) return 'it does not follow the primary since a failover'
    return undefined
  } catch (error) {
    return `it does not say what it is: ${error instanceof Error ? error.message : 'unknown error'}`
  }
}
