import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterFile } from './leaks/closing.ts'

/** An HTTP server of a test, on a free port of this machine. It ends with the test file, if not before. */
export async function startServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: afterFile(async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }),
  }
}
