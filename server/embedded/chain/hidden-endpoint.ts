import { randomInt } from 'node:crypto'
import { isPortFree } from '../ports.ts'
import type { Endpoint } from './rpc-proxy.ts'

/** Ports above 1023 that browsers refuse to connect to: the "bad ports" of the Fetch standard. */
const blockedByBrowsers = [
  1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10_080,
]

/**
 * An endpoint that web pages cannot reach, because anvil itself serves every caller: a port that browsers refuse. Where
 * the system allows it, it is on a random loopback address, so that there is always a free one.
 */
export async function hiddenEndpoint(): Promise<Endpoint> {
  for (let attempt = 1; attempt <= 200; attempt++) {
    const port = blockedByBrowsers[randomInt(blockedByBrowsers.length)] as number
    const endpoint = { host: randomLoopback(), port }
    if (await isPortFree(endpoint.port, endpoint.host)) return endpoint
  }
  throw new Error('no free port for the chain')
}

/** macOS has no loopback address but 127.0.0.1. */
function randomLoopback(): string {
  if (process.platform === 'darwin') return '127.0.0.1'
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
}
