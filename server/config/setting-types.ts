import ipaddr from 'ipaddr.js'
import type { Hex } from 'viem'
import { z } from 'zod'
import { readAddress } from './address.ts'
import { isPrivateKey } from './keys.ts'

export const address = z.string().transform((text, { addIssue }) => {
  const read = readAddress(text)
  if ('address' in read) return read.address
  addIssue(read.wrong)
  return z.NEVER
})
export const privateKey = z
  .string()
  .refine(isPrivateKey, 'must be 0x and 64 hex characters that can sign')
  .transform((key) => key as Hex)
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
export const ether = z.string().regex(/^\d{1,9}(\.\d{1,18})?$/, 'must be an amount of ETH such as 0.05')
export const whole = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max))
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
    `must be an IP address, a network such as 10.0.0.0/8, or one of ${namedNetworks.join(', ')}`,
  )
export const url = z.url({ protocol: /^https?$/ })

/** A comma between two hosts, before the path or in the parameter that takes their place. Passwords may have one, too. */
const severalHosts = /^[^/]*\/\/[^/?#]*,[^/?#@]*(?:[/?#]|$)|[?&]host=[^&]*(?:,|%2c)/i

const postgresExample = 'must be an address such as postgres://user:password@host/database'
/** The address of one Postgres server. */
export const postgres = z
  .string()
  .trim()
  .superRefine((value, { addIssue }) => {
    if (!/^postgres(ql)?:/i.test(value)) addIssue(postgresExample)
    else if (severalHosts.test(value))
      addIssue(
        'names several hosts: give one address, that of the proxy in front of them or the name that the managed service keeps',
      )
    else if (!URL.canParse(value)) addIssue(postgresExample)
  })

function isAddress(value: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv6.isValid(value)
}

/** A network of length 0 would trust everybody. No operator wants that. */
function isNetwork(value: string): boolean {
  if (!ipaddr.isValidCIDR(value)) return false
  const [address, length] = ipaddr.parseCIDR(value)
  return length > 0 && isAddress(address.toString()) && isAddress(value.split('/')[0] ?? '')
}
