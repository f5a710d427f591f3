import { join } from 'node:path'
import { readIfPresent } from './durable-files.ts'
import { readPidFile } from './postgres/server.ts'

/** Where the embedded services of a data directory listen; `undefined` for one that was never started there. */
export interface EmbeddedAddresses {
  databaseUrl: string | undefined
  rpcUrl: string | undefined
}

/** Finds the embedded services that another process runs on `dataDir`. Starts and changes nothing. */
export async function findEmbedded(dataDir: string): Promise<EmbeddedAddresses> {
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
