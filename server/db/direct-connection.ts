import pg from 'pg'

/** Runs a statement on a connection and returns its rows. */
type RunStatement = (text: string) => Promise<{ pid: number }[]>

/**
 * Whether `client` is connected to Postgres itself. A proxy may send each statement over another connection, which lacks
 * the statements that were prepared on the first one. `run` runs a statement on the client.
 */
export async function isDirectConnection(client: pg.ClientBase, run: RunStatement): Promise<boolean> {
  const [row] = await run('select pg_backend_pid() as pid')
  return row?.pid === (client as unknown as { processID: number }).processID
}

/** Cached plan with another result type (after a migration); statement does not exist; statement exists already. */
const staleCodes = ['0A000', '26000', '42P05']

/** Whether `error` says that a connection's prepared statements are not the expected ones. A new connection has none. */
export function hasStaleStatements(error: unknown): boolean {
  return error instanceof pg.DatabaseError && staleCodes.includes(error.code ?? '')
}
