import { join, resolve } from 'node:path'
import { readIfPresent } from './files.ts'
import { readPidFile } from './postgres/server.ts'
import { database } from './postgres.ts'

/**
 * Where the embedded parts of a service that runs on `dataDir` can be reached, for commands beside it. A part that has
 * never been started there is undefined; whether it still runs is for the caller to find out.
 */
export async function locateRunning(
  dataDir: string,
): Promise<{ databaseUrl: string | undefined; rpcUrl: string | undefined }> {
  const folder = (name: string) => join(resolve(dataDir), name)
  const [postmaster, password, chainPort] = await Promise.all([
    readPidFile(join(folder('postgres'), 'data')),
    readIfPresent(join(folder('postgres'), 'password')),
    readIfPresent(join(folder('chain'), 'port')),
  ])
  return {
    databaseUrl:
      postmaster && password
        ? `postgres://postgres:${password.trim()}@127.0.0.1:${postmaster.port}/${database}`
        : undefined,
    rpcUrl: chainPort ? `http://127.0.0.1:${chainPort.trim()}` : undefined,
  }
}
