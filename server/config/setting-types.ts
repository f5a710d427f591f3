import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { readAddress } from './address.ts'
import { isPrivateKey } from './keys.ts'
import { readServers, type Target } from './postgres-servers.ts'

export const address = z.string().transform((text, { addIssue }) => {
  const read = readAddress(text)
  if ('address' in read) return read.address
  addIssue(`the address ${read.wrong}`)
  return z.NEVER
})
export const privateKey = z
  .string()
  .refine(isPrivateKey, 'a private key is 0x and 64 hex characters that can sign')
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
export const ether = z.string().regex(/^\d{1,9}(\.\d{1,18})?$/, 'an amount of ETH such as 0.05')
export const whole = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'a whole number').transform(Number).pipe(z.number().min(min).max(max))
export const list = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item))
const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']
export const network = z
  .string()
  .refine(
    (value) => namedNetworks.includes(value) || isAddress(value) || isNetwork(value),
    `an IP address, a network such as 10.0.0.0/8, or one of ${namedNetworks.join(', ')}`,
  )
export const url = z.url({ protocol: /^https?$/ })

/** The address of a Postgres server, or of several, of which the first of `targets` is wanted. */
export const postgres = (...targets: [Target, ...Target[]]) =>
  z
    .string()
    .trim()
    .superRefine((value, { addIssue }) => {
      const servers = /^postgres(ql)?:/i.test(value) ? readValid(value) : undefined
      if (!servers) addIssue('an address such as postgres://user:password@host/database')
      else if (!servers.target && servers.urls.length > 1)
        addIssue(`the address of several servers needs target_session_attrs=${targets[0]}`)
      else if (servers.target && !targets.includes(servers.target))
        addIssue(`target_session_attrs has to be ${targets.join(' or ')}`)
    })

function readValid(value: string) {
  try {
    return readServers(value)
  } catch {
    return undefined
  }
}

function isAddress(value: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv6.isValid(value)
}

/** A network of length 0 would trust everybody. No operator wants that. */
function isNetwork(value: string): boolean {
  if (!ipaddr.isValidCIDR(value)) return false
  const [address, length] = ipaddr.parseCIDR(value)
  return length > 0 && isAddress(address.toString()) && isAddress(value.split('/')[0] ?? '')
}
