import { isIPv6 } from 'node:net'

/** The address by which this machine reaches a port that listens on `host`. */
export function localUrl(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host
  return `http://${name}:${port}`
}
