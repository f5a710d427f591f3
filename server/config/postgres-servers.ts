const targets = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

/** What a server has to be, as libpq names it in `target_session_attrs`. */
export type Target = (typeof targets)[number]

/** The servers that an address names, in libpq's syntax: `postgres://user:password@one,two:5433/name`. */
export interface Servers {
  /** The address of each server alone. */
  urls: [string, ...string[]]
  /** Undefined if the address does not say. */
  target: Target | undefined
}

const beforeAndAfterHosts = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/

/**
 * Reads an address. Several hosts stand before the path; the parameters `host` and `port` name one server alone.
 * @throws TypeError where it is not valid, without the address; RangeError where libpq knows no such target
 */
export function readServers(address: string): Servers {
  const [, before = '', hosts = '', after = ''] = beforeAndAfterHosts.exec(address) ?? []
  const names = hosts.split(',')
  const [first = address, ...others] = names.map((host) => `${before}${host}${after}`)
  const urls: Servers['urls'] = [first, ...others]
  // The error of `new URL` would contain the password, and an empty host would lead to this machine.
  if (!urls.every((url) => URL.canParse(url)) || (others.length > 0 && names.includes('')))
    throw new TypeError('not an address of Postgres servers')
  const { searchParams } = new URL(first)
  const isNamedTwice = ['host', 'hostaddr', 'port'].some((name) => searchParams.has(name))
  if (searchParams.get('host')?.includes(',') || (others.length > 0 && isNamedTwice))
    throw new TypeError('several hosts stand before the path of an address')
  const target = searchParams.getAll('target_session_attrs').at(-1)
  if (target !== undefined && !isTarget(target))
    throw new RangeError(`target_session_attrs is one of ${targets.join(', ')}`)
  return { urls, target }
}

function isTarget(text: string): text is Target {
  return targets.some((target) => target === text)
}
