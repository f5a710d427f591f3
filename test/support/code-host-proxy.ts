import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { startServer } from './server.ts'

/** A request of the service to its code host. */
export interface HostRequest {
  method: string
  /** Below the address of the REST interface, with the query. */
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown> | undefined
}

/** A response in the code host's place; `'lost'`: the connection breaks. A string with a content type of its own is sent as it is. */
export type HostResponse = { status: number; headers?: Record<string, string>; body?: unknown } | 'lost'

/** What the code host is to report about a pull request in place of what it does. */
export interface CodeHostProxy {
  /** Address of its REST interface. */
  apiUrl: string
  /** Every request that has arrived. */
  requests: HostRequest[]
  /** Called before anything else; undefined leaves the response to the proxy. */
  respond: (request: HostRequest) => HostResponse | undefined | Promise<HostResponse | undefined>
  /** Added to every response. */
  headers: Record<string, string>
  /** Members of pull requests by the path of their web address, in place of the code host's. */
  pulls: Map<string, Record<string, unknown>>
  /** Commits that the default branch has, and what merged them. */
  contained: Set<string>
  /** Pull requests that have a commit, beside the one that is asked about. */
  alsoIn: Map<
    string,
    { number: number; user: { id: number } | null; created_at: string; merged_at?: string | null }[]
  >
  /** Check runs and statuses of commits. */
  checks: Map<string, { runs?: [string, string, string?][]; statuses?: [string, string][] }>
  close(): Promise<void>
}

/**
 * Stands before a code host, and reports what a test wants about pull requests and checks, with entity tags. A merge of
 * the newest commit succeeds once, as GitHub's does, and so does one of any commit by its hash.
 */
export async function createCodeHostProxy(target: string): Promise<CodeHostProxy> {
  const prefix = new URL(target).pathname
  const proxy: Omit<CodeHostProxy, 'apiUrl' | 'close'> = {
    requests: [],
    respond: () => undefined,
    headers: {},
    pulls: new Map(),
    contained: new Set(),
    alsoIn: new Map(),
    checks: new Map(),
  }

  /** A pull request with what a test wants to be reported of it; of its head the other members stay. */
  function changed<Pull extends { head?: object }>(pull: Pull, key: string): Pull {
    const members = proxy.pulls.get(key) as Partial<Pull> | undefined
    return { ...pull, ...members, ...(members?.head && { head: { ...pull.head, ...members.head } }) }
  }

  /** The pull request that was shown last with a commit as its newest. */
  const shown = new Map<string, unknown>()

  async function pullAt(request: HostRequest, path: string) {
    const { headers } = request
    const response = await fetch(target + path, { headers: { authorization: headers.authorization ?? '' } })
    const body = (await response.json()) as { head?: { sha: string } }
    const key = path.replace('/repos', '').replace('/pulls/', '/pull/')
    const reported = changed(body, key)
    if (reported.head) shown.set(reported.head.sha, reported)
    return { status: response.status, body: reported, key }
  }

  /** What is about no pull request. */
  async function asItIs({ method, path, headers, body }: HostRequest): Promise<HostResponse> {
    const response = await fetch(target + path, {
      method,
      redirect: 'manual',
      body: body === undefined ? null : JSON.stringify(body),
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
    })
    const answer = await response.text()
    return { status: response.status, ...(answer && { body: JSON.parse(answer) }) }
  }

  /** A list of pull requests as they are reported one by one. */
  async function listAt({ headers }: HostRequest, path: string) {
    const [address, query] = path.split('?')
    const wanted = new URLSearchParams(query)
    const state = wanted.get('state') ?? 'open'
    wanted.set('state', 'all')
    const authorization = headers.authorization ?? ''
    const response = await fetch(`${target}${address}?${wanted}`, { headers: { authorization } })
    const listed = (await response.json()) as { html_url: string; state: string; head?: object }[]
    const isPulls = path.includes('/pulls?')
    const body = !isPulls
      ? listed
      : listed
          .map((pull) => changed(pull, new URL(pull.html_url).pathname))
          .filter((pull) => state === 'all' || pull.state === state)
    return { status: response.status, body }
  }

  async function merged(request: HostRequest, path: string): Promise<HostResponse> {
    const { status, body, key } = await pullAt(request, path)
    const pull = body as Record<string, unknown> & { head: { sha: string } }
    if (status !== 200) return { status, body }
    if (pull.merged || pull.mergeable === false) return { status: 405, body: { message: 'not mergeable' } }
    if (request.body?.sha !== pull.head.sha)
      return { status: 409, body: { message: 'Head branch was modified' } }
    const sha = createHash('sha1').update(`merge ${key}`).digest('hex')
    proxy.pulls.set(key, {
      ...proxy.pulls.get(key),
      merged: true,
      state: 'closed',
      merge_commit_sha: sha,
      mergeable: null,
      merged_at: new Date().toISOString(),
    })
    return { status: 200, body: { merged: true, sha, message: 'Pull Request successfully merged' } }
  }

  /** A merge of a commit by its hash. A second one finds it in the branch. */
  function mergedByHash({ body }: HostRequest): HostResponse {
    const head = String(body?.head)
    if (proxy.contained.has(head)) return { status: 204 }
    proxy.contained.add(head)
    return { status: 201, body: { sha: createHash('sha1').update(`merge ${head}`).digest('hex') } }
  }

  async function usual(request: HostRequest): Promise<HostResponse> {
    const { method, path, headers } = request
    const [, commit, part] = /\/commits\/(\w+)\/(check-runs|status|pulls)\?/.exec(path) ?? []
    const [, base, compared] = /\/compare\/(\w+)\.\.\.(\w+)\?/.exec(path) ?? []
    if (method === 'POST' && path.endsWith('/merges')) return mergedByHash(request)
    if (path.endsWith('/merge')) return merged(request, path.replace(/\/merge$/, ''))
    if (compared) {
      const isMerge = [...proxy.pulls.values()].some(({ merge_commit_sha }) => merge_commit_sha === base)
      const isContained = base === 'main' || isMerge ? proxy.contained.has(compared) : base === compared
      const [status, files] = isContained ? ['behind', []] : ['ahead', [{}]]
      return { status: 200, body: { status, files } }
    }
    if (commit && part === 'pulls') {
      const listed = [shown.get(commit) ?? [], proxy.alsoIn.get(commit) ?? []].flat()
      const page = Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 1)
      return { status: 200, body: listed.slice(100 * (page - 1), 100 * page) }
    }
    if (/\/commits\?/.test(path)) return { status: 200, body: [{ author: null }] }
    if (!/\/(pulls|commits|git)\b/.test(path)) return asItIs(request)
    const { status, body } = commit
      ? { status: 200, body: checksBody(proxy.checks.get(commit) ?? {}, part === 'status') }
      : await (/\/(pulls\?|git\/)/.test(path) ? listAt : pullAt)(request, path)
    const etag = `"${createHash('sha1').update(JSON.stringify(body)).digest('hex')}"`
    return headers['if-none-match'] === etag ? { status: 304 } : { status, headers: { etag }, body }
  }

  const server = await startServer(async (incoming, outgoing) => {
    const sent = await text(incoming)
    const { method = '', url = '', headers } = incoming
    const request = {
      method,
      path: url.slice(prefix.length),
      headers,
      body: sent ? JSON.parse(sent) : undefined,
    }
    proxy.requests.push(request)
    const response = (await proxy.respond(request)) ?? (await usual(request))
    if (response === 'lost') return incoming.socket.destroy()
    outgoing.writeHead(response.status, {
      'content-type': 'application/json',
      ...proxy.headers,
      ...response.headers,
    })
    const isRaw = typeof response.body === 'string' && response.headers?.['content-type'] !== undefined
    const body = isRaw ? String(response.body) : JSON.stringify(response.body)
    return outgoing.end(body)
  })
  return Object.assign(proxy, { apiUrl: server.url + prefix, close: server.close })
}

function checksBody(
  { runs = [], statuses = [] }: { runs?: [string, string, string?][]; statuses?: [string, string][] },
  isStatus: boolean,
) {
  if (!isStatus)
    return {
      total_count: runs.length,
      check_runs: runs.map(([name, status, conclusion = null]) => ({ name, status, conclusion })),
    }
  const states = statuses.map(([, state]) => state)
  const state = ['failure', 'error'].some((each) => states.includes(each))
    ? 'failure'
    : states.length > 0 && states.every((each) => each === 'success')
      ? 'success'
      : 'pending'
  return {
    state,
    total_count: statuses.length,
    statuses: statuses.map(([context, each]) => ({ context, state: each })),
  }
}
