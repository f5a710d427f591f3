import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** What a run shares: the value by which tests know it, and how it ends. */
export interface Part {
  value: string
  stop(): Promise<void>
}

/** Starts each part when a test file asks for it first, so that a test of a function waits for none. */
export async function serveSharedParts(
  directory: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const parts = new Map<string, Promise<Part>>()
  const server = createServer(({ url = '/' }, response) => {
    const name = url.slice(1)
    const part = parts.get(name) ?? start(name, directory)
    parts.set(name, part)
    part.then(
      ({ value }) => response.end(value),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      const started = await Promise.allSettled(parts.values())
      await Promise.all(started.map((part) => part.status === 'fulfilled' && part.value.stop()))
    },
  }
}

/** The modules are loaded when they are needed, because they load the service's packages. */
async function start(name: string, directory: string): Promise<Part> {
  if (name === 'build') return (await import('./build.ts')).makeSharedBuild()
  const folder = join(directory, name)
  const log = { info: () => undefined, warn: () => undefined }
  if (name === 'postgres') return (await import('./postgres.ts')).startSharedPostgres(folder, log)
  const { startChain } = await import('../../../server/embedded/chain/local-chain.ts')
  const { rpcUrl, stop } = await startChain({ directory: folder, port: 0, log, persist: false, proxy: false })
  return { value: rpcUrl, stop }
}
