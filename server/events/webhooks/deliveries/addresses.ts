import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All addresses of a name, none if it has none. Rejects if nobody could say. */
export type Lookup = (hostname: string) => Promise<string[]>

/** A name has no address, or nobody could say which. */
export class NameNotResolvedError extends Error {
  override readonly name = 'NameNotResolvedError'
}

/** The name servers say that it has none. */
export class UnknownNameError extends NameNotResolvedError {}

/** An address that webhooks must not reach. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError'
}

/**
 * Asks the name servers themselves. The system's resolver occupies a thread of the process for each name, so two names
 * whose servers are silent would hold up every other name.
 */
export const askNameServers: Lookup = async (hostname) => {
  const resolver = new Resolver({ timeout: 4000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const isUnsure = found.some(
    (result) => result.status === 'rejected' && !saidToBeNone.includes(result.reason.code),
  )
  if (addresses.length === 0 && isUnsure) throw new NameNotResolvedError()
  return addresses
}

const saidToBeNone = ['ENOTFOUND', 'ENODATA']

/** Only these IPv6 addresses are public; `ipaddr.js` also takes for unicast what nobody has assigned yet. */
const publicIPv6 = ipaddr.parseCIDR('2000::/3')

/** Whether everybody can reach the address: not private, link-local, shared, mapped, translated or reserved. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(publicIPv6))
}

/** Whether a host as URLs write it is this machine. */
export function isLoopback(host: string): boolean {
  const address = withoutBrackets(host)
  return host === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback')
}

/** Whether a host as URLs write it is an address and not a name. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(withoutBrackets(host))
}

/** The address of a host as URLs write it: IPv6 stands in brackets there. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

/**
 * What a connection uses to resolve its name: it gets exactly the addresses that were checked, so a name server cannot
 * give another one to the connection.
 */
export function checkedLookup(lookup: Lookup): LookupFunction {
  return (hostname, _options, callback) => {
    publicAddresses(hostname, lookup).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    )
  }
}

async function publicAddresses(hostname: string, lookup: Lookup) {
  if (hostname === 'localhost')
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]
  const addresses = await lookup(hostname).catch(() => {
    throw new NameNotResolvedError()
  })
  if (addresses.length === 0) throw new UnknownNameError()
  if (!addresses.every(isPublic)) throw new AddressRefusedError()
  return addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }))
}
