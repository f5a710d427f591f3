import pg from 'pg'

/** Tables to which the life of a bounty adds rows. Idempotency keys are left out: they go after a day. */
const tables = [
  'bounties',
  'bounty_texts',
  'submissions',
  'activity',
  'payouts',
  'transactions',
  'transaction_attempts',
]

/** What a database writes and keeps. */
export interface Storage {
  /**
   * Bytes of write-ahead log while `work` runs, pending entries of GIN indexes included. Without images of whole pages,
   * whose number depends on how often checkpoints are.
   */
  walBytes(work: () => Promise<unknown>): Promise<number>
  /**
   * Bytes of the tables to which bounties add rows, with their indexes, after a full vacuum: without the space of row
   * versions that are gone, because later rows use it again.
   */
  storedBytes(): Promise<number>
  close(): Promise<void>
}

/** Opens a connection to measure the database at `url`; needs the rights of a superuser. */
export async function storageOf(url: string): Promise<Storage> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const mergePending = () =>
    client.query(`select gin_clean_pending_list(indexrelid) from pg_index
      join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam where amname = 'gin'`)
  const position = async () => {
    const { rows } = await client.query(`select (pg_current_wal_insert_lsn() - '0/0')::bigint as position`)
    return Number(rows[0].position)
  }
  const setPageImages = async (on: boolean) => {
    await client.query(`alter system set full_page_writes = ${on ? 'on' : 'off'}`)
    await client.query('select pg_reload_conf()')
    // The checkpointer applies the setting.
    await client.query('checkpoint')
  }
  return {
    async walBytes(work) {
      await setPageImages(false)
      try {
        await mergePending()
        const before = await position()
        await work()
        await mergePending()
        return (await position()) - before
      } finally {
        await setPageImages(true)
      }
    },
    async storedBytes() {
      await client.query('vacuum full')
      const { rows } = await client.query(
        `select sum(pg_total_relation_size(oid))::bigint as bytes from pg_class
          where relnamespace = 'public'::regnamespace and relname = any ($1)`,
        [tables],
      )
      return Number(rows[0].bytes)
    },
    close: () => client.end(),
  }
}
