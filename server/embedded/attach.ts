import { join } from 'node:path'
import { readIfPresent } from './files.ts'
import { readPidFile } from './postgres/server.ts'

/** Where the embedded parts of a data directory listen, as far as they have been started. */
export interface Attached {
  databaseUrl: string | undefined
  rpcUrl: string | undefined
}

/** Finds the embedded parts that another process runs on `dataDir`. Starts and changes nothing. */
export async function findEmbedded(dataDir: string): Promise<Attached> {
  const postgres = join(dataDir, 'postgres')
  const [server, password, chainPort] = await Promise.all([
    readPidFile(join(postgres, 'data')),
    readIfPresent(join(postgres, 'password')),
    readIfPresent(join(dataDir, 'chain/port')),
  ])
  return {
    databaseUrl:
      server && password
        ? `postgres://postgres:${password.trim()}@127.0.0.1:${server.port}/marketplace`
        : undefined,
    rpcUrl: chainPort ? `http://127.0.0.1:${chainPort.trim()}` : undefined,
  }
}
