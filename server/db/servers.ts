/** What a server has to be, as libpq names it in `target_session_attrs`. */
export type Target = 'any' | 'read-write' | 'read-only' | 'primary' | 'standby' | 'prefer-standby'

/** The servers that an address names, in libpq's syntax: `postgres://user:password@one,two:5433/name`. */
export interface Servers {
  /** The address of each server alone. */
  urls: [string, ...string[]]
  /** Undefined if the address does not say. */
  target: Target | undefined
}

/** What a server is, as a new session sees it. */
export interface Session {
  isStandby: boolean
  isReadOnly: boolean
  /** Each promotion begins a higher one. 0 on a standby, and where {@link sessionStatement} has not asked for it. */
  timeline: number
}

/** The expression that reads the timeline a primary writes on. 0 on a standby. */
export const timelineOfPrimary = `case when pg_is_in_recovery() then 0
  else ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int end`

/** The statement that reads {@link Session}. Not every service that hosts Postgres lets its users read `timeline`. */
export const sessionStatement = (timeline = '0') =>
  `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
  ${timeline} as timeline`

type Condition = (session: Session) => boolean
const isAny: Condition = () => true
const isStandby: Condition = (session) => session.isStandby

/** For each target which servers are preferred, and which are accepted if there is none of those. */
const conditions: Record<Target, { preferred: Condition; accepted: Condition }> = {
  any: always(isAny),
  'read-write': always(({ isReadOnly }) => !isReadOnly),
  'read-only': always(({ isReadOnly }) => isReadOnly),
  primary: always((session) => !isStandby(session)),
  standby: always(isStandby),
  'prefer-standby': { preferred: isStandby, accepted: isAny },
}

function always(condition: Condition) {
  return { preferred: condition, accepted: condition }
}

/** Which servers a target prefers and accepts. */
export const conditionsOf = (target: Target) => conditions[target]

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
  if (target !== undefined && !Object.hasOwn(conditions, target))
    throw new RangeError(`target_session_attrs is one of ${Object.keys(conditions).join(', ')}`)
  return { urls, target: target as Target | undefined }
}
