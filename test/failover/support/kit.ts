import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { chooseAccount } from '../../../server/embedded/postgres/account.ts'

/** The folder with the files that operators use. */
export const shipped = fileURLToPath(new URL('../../../server/ops/cluster', import.meta.url))

/** Programs of the cluster, and the Debian package of each. */
const programs = {
  '/usr/bin/etcd': 'etcd-server',
  '/usr/bin/prometheus-postgres-exporter': 'prometheus-postgres-exporter',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/bin/patroni': 'patroni',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/bin/promtool': 'prometheus',
  '/usr/lib/python3/dist-packages/etcd/__init__.py': 'python3-etcd',
}

/** @throws with the command that installs everything that is missing */
export function checkPrograms(): void {
  const missing = Object.entries(programs).filter(([path]) => !existsSync(path))
  if (missing.length === 0) return
  const packages = missing.map(([, name]) => name).join(' ')
  throw new Error(`The cluster needs programs that are not installed: apt-get install ${packages}`)
}

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
