import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { startPostgres } from '../../../server/embedded/postgres/postgres.ts'
import { recorder } from '../support.ts'

/** Starts a server in this process, until the end of the test. */
export async function start(directory: string, settings: Record<string, string> = {}) {
  const { lines, log } = recorder()
  const server = await startPostgres({ directory, log, settings })
  let running = true
  const stop = async () => {
    if (running) await server.stop()
    running = false
  }
  onTestFinished(stop)
  return { url: server.url, stop, lines }
}

/** The rows of a statement, over a connection of its own. */
export async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** The process id of the server on these data. */
export async function postmaster(directory: string): Promise<number> {
  return Number((await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
}
