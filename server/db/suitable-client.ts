import type { Socket } from 'node:net'
import pg from 'pg'
import type { Servers, Target } from '../config/postgres-servers.ts'
import { within } from '../config/time-limit.ts'
import { conditionsOf, type Session, sessionStatement, timelineOfPrimary } from './servers.ts'

/** No server of an address can be reached and is what is asked for. */
export class NoSuitableServer extends Error {
  override readonly name = 'NoSuitableServer'
}

/** A class of clients, as {@link pg.Pool} takes it. */
export type ClientClass = new (config?: pg.ClientConfig) => pg.Client

/** How a server is asked what it is, and how long it has to accept a connection and to respond. */
interface Question {
  text: string
  ms: number
}
const single: Question = { text: sessionStatement(), ms: 10_000 }
/** A frozen server never responds, and another one waits to be used. */
const several: Question = { text: sessionStatement(timelineOfPrimary), ms: 3_000 }
/** Servers that report this much later than the first suitable one are not compared with it. */
const compareMs = 500

/** The classes of addresses that name several servers: all connections of the process know what one has found. */
const shared = new Map<string, ClientClass>()

/**
 * A class of clients that connect to a server which is what `target` asks for. A connection to any other server fails.
 *
 * All servers are asked at once, and the suitable one on the highest timeline is taken. The primary
 * is remembered until a connection to it fails. When a connection finds another primary, all others leave the old one: if
 * that machine is frozen, they would wait for it. The process never goes back to a lower timeline: a former primary that
 * wakes, or is started again, would still take writes.
 *
 * A single server is asked, too: behind a proxy, or a name that moves, may be a server that was the primary a moment ago.
 */
export function clientOf({ urls, target = 'any' }: Servers): ClientClass {
  if (urls.length === 1) return createClass(urls, target)
  const key = `${target} ${urls.join()}`
  const known = shared.get(key) ?? createClass(urls, target)
  shared.set(key, known)
  return known
}

function createClass(urls: Servers['urls'], target: Target): ClientClass {
  const { accepted } = conditionsOf(target)
  const isSingle = urls.length === 1
  const found = target === 'primary' || target === 'read-write' ? rememberPrimary() : undefined
  let searching: Promise<string> | undefined

  function search(config: pg.ClientConfig): Promise<string> {
    searching ??= findServer(urls, target, config).finally(() => {
      searching = undefined
    })
    return searching
  }

  return class extends pg.Client {
    readonly #config: pg.ClientConfig
    constructor(config: pg.ClientConfig = {}) {
      super(config)
      this.#config = config
      // A pool does not listen to connections in use, and nobody to one that is being made: an error would end the process.
      this.on('error', () => undefined)
    }

    override connect(): Promise<pg.Client>
    override connect(callback: (error: never, client: pg.Client) => void): void
    override connect(callback?: (error: never, client: pg.Client) => void) {
      const connecting = this.#connect()
      if (!callback) return connecting
      connecting.then(
        () => callback(null as never, this),
        (error) => callback(error as never, this),
      )
    }

    async #connect(): Promise<pg.Client> {
      if (isSingle) {
        await ask(single, this, () => super.connect(), accepted)
        return this
      }
      const url = found?.url() ?? (await search(this.#config))
      Object.assign(this, hostAndPort(url))
      try {
        const { timeline } = await ask(several, this, () => super.connect(), accepted)
        found?.use(url, timeline, this)
      } catch (error) {
        found?.forget(url)
        throw error
      }
      return this
    }
  }
}

/** Which server is the primary, as far as connections of this process know, and the connections to it. */
function rememberPrimary() {
  const connected = new Map<pg.Client, string>()
  let known: string | undefined
  let highest = 0
  return {
    url: () => known,
    forget(url: string) {
      if (known === url) known = undefined
    },
    /** @throws NoSuitableServer where a connection has found a later primary, or another one since this one was begun */
    use(url: string, timeline: number, client: pg.Client) {
      const isAnother = known !== undefined && known !== url
      if (timeline < highest || (isAnother && timeline === highest)) {
        socketOf(client).destroy()
        throw new NoSuitableServer('another server is the primary now')
      }
      known = url
      highest = timeline
      connected.set(client, url)
      client.once('end', () => connected.delete(client))
      for (const [other, its] of connected) if (its !== url) socketOf(other).destroy()
    },
  }
}

/**
 * The server on the highest timeline, among those that are preferred or else accepted; the first of the list among equals.
 */
async function findServer(urls: string[], target: Target, config: pg.ClientConfig): Promise<string> {
  const { preferred, accepted } = conditionsOf(target)
  const asked = urls.map(async (url) => {
    const client = new pg.Client({ ...config, connectionString: url })
    client.on('error', () => undefined)
    const session = await ask(
      several,
      client,
      () => client.connect(),
      () => true,
    )
    socketOf(client).destroy()
    return { url, session }
  })
  const best = async (isWanted: typeof accepted) => {
    const suitable: Awaited<(typeof asked)[number]>[] = []
    const compared = asked.map(async (one, nth) => {
      const found = await one
      requireSuitable(found.session, isWanted)
      suitable[nth] = found
    })
    await Promise.any(compared)
    await within(compareMs, Promise.allSettled(compared), () => undefined)
    return suitable.reduce((best, one) => (one.session.timeline > best.session.timeline ? one : best)).url
  }
  return best(preferred)
    .catch(() => best(accepted))
    .catch(({ errors }: AggregateError) => {
      const why = errors.map(({ code, message }) => code ?? message).join(', ')
      throw new NoSuitableServer(`none of the ${urls.length} servers can be used (${why})`)
    })
}

/** Connects a client and asks its server what it is. Its socket is closed if that fails or takes too long. */
async function ask(
  { text, ms }: Question,
  client: pg.Client,
  connect: () => Promise<unknown>,
  isWanted: (session: Session) => boolean,
): Promise<Session> {
  const timer = setTimeout(() => socketOf(client).destroy(), ms)
  try {
    await connect()
    const { rows } = await client.query<Session>(text)
    return requireSuitable(rows[0], isWanted)
  } catch (error) {
    socketOf(client).destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function requireSuitable(session: Session | undefined, isWanted: (session: Session) => boolean): Session {
  if (session && isWanted(session)) return session
  throw new NoSuitableServer('the server is not what is asked for')
}

/** The socket of a connection. */
export function socketOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

function hostAndPort(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: decodeURIComponent(hostname.replace(/^\[(.*)\]$/, '$1')), port: Number(port) || 5432 }
}
