import ipaddr from 'ipaddr.js'

const ipv6Network = 8

/**
 * The key an address is counted under: an IPv4 address itself, an IPv6 address its /64, because one subscriber has a whole
 * /64; `unknown` for anything else.
 */
export function countedAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  const network = address.toByteArray().map((byte, index) => (index < ipv6Network ? byte : 0))
  return `${ipaddr.fromByteArray(network).toString()}/64`
}
