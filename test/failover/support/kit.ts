import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { chooseAccount } from '../../../server/embedded/postgres/account.ts'

/** The folder with the files that operators use. */
export const shipped = fileURLToPath(new URL('../../../server/ops/cluster', import.meta.url))

/** Runs a command as the account that owns `folder`, and throws with its output if it fails. */
export async function runAs(
  folder: string,
  [program = '', ...args]: string[],
  environment: Record<string, string> = {},
): Promise<void> {
  await promisify(execFile)(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...environment },
    ...(await chooseAccount(folder)),
  })
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  // A node that dies ends the connection: the statement then fails, too.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
