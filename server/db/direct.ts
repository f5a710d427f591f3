import pg from 'pg'

/** A statement's rows. */
type Ask = (text: string) => Promise<{ pid: number }[]>

/**
 * Whether Postgres itself answers `client`. Something in between may send each statement over another connection, which
 * does not have what was prepared on the first. `ask` runs a statement on the client.
 */
export async function isDirect(client: pg.ClientBase, ask: Ask): Promise<boolean> {
  const [row] = await ask('select pg_backend_pid() as pid')
  return row?.pid === (client as unknown as { processID: number }).processID
}

/** A migration changed what a statement returns; a statement was not parsed because one before it failed; it is there. */
const confusions = ['0A000', '26000', '42P05']

/** Whether a connection's prepared statements are not what they should be; another connection has none. */
export function isConfused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && confusions.includes(error.code ?? '')
}
