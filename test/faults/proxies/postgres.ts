import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A proxy in front of Postgres that breaks connections. */
export interface PostgresProxy {
  url: string
  /**
   * Cuts the connection at a COMMIT, after `after` others: before the server sees it, or before the client sees the reply.
   * Returns whether that has happened so far.
   */
  cutAtCommit(when: 'before' | 'after', after: number): () => boolean
  /** Cuts everything that is open now; returns how many connections that were. */
  cutAll(): number
  /** Nothing passes for a while, and nothing breaks. Returns whether anything had to wait so far. */
  stall(ms: number): () => boolean
  /** New connections are refused, and open ones cut, for a while; returns how many were cut. */
  refuse(ms: number): number
  /** New connections are taken again. */
  accept(): void
  heal(): void
  close(): Promise<void>
}

interface Link {
  client: Socket
  server: Socket
  /** The reply to the client's last message must not arrive. */
  muted: boolean
}

/** What commits, as node-postgres sends it: a simple query. */
const engineCommits = [Buffer.from('commit\0')]

/** @param commits what a chunk that commits contains; default: how the engines do it */
export async function createPostgresProxy(target: string, commits = engineCommits): Promise<PostgresProxy> {
  const address = new URL(target)
  const port = Number(address.port)
  const links = new Set<Link>()
  let cuts: { when: 'before' | 'after'; after: number; met: boolean }[] = []
  let stalledUntil = 0
  let refusedUntil = 0
  let held = 0

  function nextCut(): 'before' | 'after' | undefined {
    const hit = cuts.find((cut) => cut.after-- <= 0)
    if (!hit) return undefined
    hit.met = true
    cuts = cuts.filter((cut) => cut !== hit)
    return hit.when
  }

  function cut(link: Link): void {
    links.delete(link)
    link.client.destroy()
    link.server.destroy()
  }

  const left = () => stalledUntil - performance.now()

  /** In order, and later while the link is stalled; until either side ends. */
  async function pipe(link: Link, from: Socket, onData: (chunk: Buffer) => void): Promise<void> {
    from.on('error', () => undefined)
    try {
      for await (const chunk of from) {
        for (let wait = left(); wait > 0; wait = left()) {
          held++
          await delay(wait)
        }
        onData(chunk)
      }
    } catch {
      // Broken connections are expected here.
    } finally {
      cut(link)
    }
  }

  const server = createServer((client) => {
    if (performance.now() < refusedUntil) return void client.destroy()
    const link: Link = { client, server: connect(port, address.hostname), muted: false }
    links.add(link)
    client.setNoDelay(true)
    link.server.setNoDelay(true)
    void pipe(link, client, (chunk) => {
      if (commits.some((commit) => chunk.includes(commit))) {
        const when = nextCut()
        if (when === 'before') return cut(link)
        if (when === 'after') link.muted = true
      }
      link.server.write(chunk)
    })
    void pipe(link, link.server, (chunk) => {
      // The server has replied, so the commit has happened; the client does not learn it.
      if (link.muted) return cut(link)
      client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = server.address()
  address.port = String(typeof own === 'object' && own ? own.port : 0)
  const accept = () => {
    refusedUntil = 0
  }
  const cutAll = () => {
    const count = links.size
    for (const link of links) cut(link)
    return count
  }
  return {
    url: address.href,
    cutAtCommit(when, after) {
      const armed = { when, after, met: false }
      cuts.push(armed)
      return () => armed.met
    },
    cutAll,
    stall(ms) {
      stalledUntil = performance.now() + ms
      const before = held
      return () => held > before
    },
    refuse(ms) {
      refusedUntil = performance.now() + ms
      return cutAll()
    },
    accept,
    heal() {
      cuts = []
      accept()
    },
    async close() {
      cutAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
