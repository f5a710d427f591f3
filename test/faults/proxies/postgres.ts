import { connect, createServer, type Socket } from 'node:net'

/** A way to Postgres on which connections break. */
export interface PostgresProxy {
  url: string
  /** Cuts the connection at a COMMIT, after `after` others: before the server sees it, or before its answer is seen. */
  cutAtCommit(when: 'before' | 'after', after: number): void
  /** Cuts everything that is open now. */
  cutAll(): void
  /** Nothing passes for a while, and nothing breaks. */
  stall(ms: number): void
  /** New connections are refused, and open ones cut, for a while. */
  refuse(ms: number): void
  heal(): void
  /** Connections that were cut. */
  hits(): number
  close(): Promise<void>
}

interface Link {
  client: Socket
  server: Socket
  /** The answer to what the client sent last must not arrive. */
  muted: boolean
}

/** node-postgres sends what has no parameters as a simple query. */
const commit = Buffer.from('commit\0')

export async function createPostgresProxy(target: string): Promise<PostgresProxy> {
  const address = new URL(target)
  const port = Number(address.port)
  const links = new Set<Link>()
  let cuts: { when: 'before' | 'after'; after: number }[] = []
  let stalledUntil = 0
  let refusedUntil = 0
  let hits = 0

  function nextCut(): 'before' | 'after' | undefined {
    const hit = cuts.find((cut) => cut.after-- <= 0)
    if (!hit) return undefined
    cuts = cuts.filter((cut) => cut !== hit)
    return hit.when
  }

  function cut(link: Link): void {
    links.delete(link)
    link.client.destroy()
    link.server.destroy()
  }

  /** In order, and later while the link is stalled. */
  function pipe(link: Link, from: Socket, onData: (chunk: Buffer) => void): void {
    from.on('data', (chunk) => {
      const pass = () => {
        const wait = stalledUntil - performance.now()
        if (wait <= 0) return onData(chunk)
        from.pause()
        setTimeout(() => {
          pass()
          from.resume()
        }, wait)
      }
      pass()
    })
    from.on('error', () => cut(link))
    from.on('close', () => cut(link))
  }

  const server = createServer((client) => {
    if (performance.now() < refusedUntil) return void client.destroy()
    const link: Link = { client, server: connect(port, address.hostname), muted: false }
    links.add(link)
    client.setNoDelay(true)
    link.server.setNoDelay(true)
    pipe(link, client, (chunk) => {
      if (chunk.includes(commit)) {
        const when = nextCut()
        if (when) hits++
        if (when === 'before') return cut(link)
        if (when === 'after') link.muted = true
      }
      link.server.write(chunk)
    })
    pipe(link, link.server, (chunk) => {
      // The server has answered, so the commit has happened; nobody will know.
      if (link.muted) return cut(link)
      client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = server.address()
  address.port = String(typeof own === 'object' && own ? own.port : 0)
  const cutAll = () => {
    hits += links.size
    for (const link of links) cut(link)
  }
  return {
    url: address.href,
    hits: () => hits,
    cutAtCommit: (when, after) => void cuts.push({ when, after }),
    cutAll,
    stall(ms) {
      stalledUntil = performance.now() + ms
    },
    refuse(ms) {
      refusedUntil = performance.now() + ms
      cutAll()
    },
    heal() {
      cuts = []
      refusedUntil = 0
    },
    async close() {
      cutAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
