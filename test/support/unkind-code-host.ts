import { createHmac } from 'node:crypto'
import type { CodeHostProxy, HostRequest, HostResponse } from './code-host-proxy.ts'
import { createRandom, type Random } from './random.ts'

/** What a code host responds in place of what was asked, by a name for it. */
const faults: Record<string, (request: HostRequest, apiUrl: string) => HostResponse> = {
  'not found': () => ({ status: 404, body: { message: 'Not Found' } }),
  unprocessable: () => ({ status: 422, body: { message: 'Validation Failed' } }),
  'a missing permission': () => ({
    status: 403,
    body: { message: 'Resource not accessible by integration' },
  }),
  'a secondary limit': () => ({
    status: 403,
    headers: { 'retry-after': '1' },
    body: { message: 'You have exceeded a secondary rate limit.' },
  }),
  'a token that has ended': () => ({ status: 401, body: { message: 'Bad credentials' } }),
  'a redirect': ({ path }, apiUrl) => ({
    status: 301,
    headers: { location: `${apiUrl}${path}` },
    body: { message: 'Moved Permanently' },
  }),
  'a failure': () => ({ status: 502, body: { message: 'Server Error' } }),
  'a page of a proxy': () => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Try later</h1>',
  }),
  'a lost response': () => 'lost',
}

/** A change of a pull request that the host has made, and does not show yet. */
interface Unshown {
  pull: string
  members: Record<string, unknown>
  /** After so many more requests it is shown. */
  requests: number
}

/** A webhook that is on its way. */
interface Delivery {
  id: string
  body: string
}

/** A code host that lags behind itself, refuses, and loses, repeats, delays and reorders its webhooks, all by a seed. */
export interface UnkindCodeHost {
  /** Changes a pull request, by its web address; it is shown later. Its webhook is on its way, unless that is lost. */
  change(pr_url: string, members: Record<string, unknown>): void
  /** Delivers what is on its way, or some of it in another order. */
  deliver(): Promise<void>
  /** Whether the service could know of the last change: the host shows it, or has delivered it. */
  isKnown(pr_url: string): boolean
  /** Whether it has delivered the last change. */
  isReported(pr_url: string): boolean
  /** What the host itself knows of a pull request. */
  truthOf(pr_url: string): Record<string, unknown>
  /** From now on it is kind; what it has not shown is shown. Webhooks that were lost stay lost. */
  becomeKind(): void
}

/** What the host needs to know of a repository for its webhooks. */
export interface HookOptions {
  /** Address that gets the webhooks. */
  url: string
  secret: string
  repository: { id: number; default_branch: string }
}

/** Makes a code host's proxy unkind. */
export function makeUnkind(host: CodeHostProxy, seed: number, hook: HookOptions): UnkindCodeHost {
  const random = createRandom(seed)
  const truth = new Map<string, Record<string, unknown>>()
  /** Ids of the last webhook about each pull request. */
  const last = new Map<string, string>()
  const delivered = new Set<string>()
  let unshown: Unshown[] = []
  let onItsWay: Delivery[] = []
  let sent = 0
  let isKind = false
  const keyOf = (pr_url: string) => new URL(pr_url).pathname
  const show = ({ pull, members }: Unshown) => host.pulls.set(pull, { ...host.pulls.get(pull), ...members })

  host.respond = (request) => {
    for (const change of unshown) change.requests--
    // In their order: the host does not show an older state after a newer one.
    while (unshown[0] && unshown[0].requests <= 0) show(unshown.shift() as Unshown)
    if (isKind || !random.chance(0.12)) return undefined
    const name = random.pick(Object.keys(faults))
    return faults[name]?.(request, host.apiUrl)
  }

  async function send({ id, body }: Delivery): Promise<void> {
    const signature = createHmac('sha256', hook.secret).update(body).digest('hex')
    const response = await fetch(hook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'pull_request',
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    })
    await response.arrayBuffer()
    if (response.status !== 202) throw new Error(`a webhook was refused: ${response.status}`)
    delivered.add(id)
  }

  const isReported = (pr_url: string) => delivered.has(last.get(keyOf(pr_url)) ?? '')

  return {
    isReported,
    change(pr_url, members) {
      const pull = keyOf(pr_url)
      const updated_at = new Date().toISOString()
      // Each is opened just before its first change.
      const before = truth.get(pull)
      const known: Record<string, unknown> = { created_at: updated_at, ...before, ...members, updated_at }
      const { created_at } = known
      const action = !before ? 'opened' : known.state === 'closed' ? 'closed' : 'synchronize'
      truth.set(pull, known)
      const requests = random.chance(0.4) ? 0 : random.int(5, 80)
      unshown.push({ pull, members: { ...members, created_at, updated_at }, requests })
      const id = `delivery-${seed}-${sent++}`
      last.set(pull, id)
      if (random.chance(0.25)) return
      const delivery = { id, body: JSON.stringify(payloadOf(pull, action, known, hook)) }
      onItsWay.push(...Array(random.chance(0.2) ? 2 : 1).fill(delivery))
    },
    async deliver() {
      const now = random.some(onItsWay, random.int(0, onItsWay.length))
      onItsWay = onItsWay.filter((delivery) => !now.includes(delivery))
      for (const delivery of shuffled(now, random)) await send(delivery)
    },
    isKnown(pr_url) {
      const pull = keyOf(pr_url)
      const isShown = !unshown.some((change) => change.pull === pull)
      return isShown || isReported(pr_url)
    },
    truthOf: (pr_url) => truth.get(keyOf(pr_url)) ?? {},
    becomeKind() {
      isKind = true
      unshown.forEach(show)
      unshown = []
    },
  }
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => [random.next(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item)
}

function payloadOf(
  pull: string,
  action: string,
  known: Record<string, unknown>,
  { repository }: HookOptions,
) {
  const { state = 'open', merged_at = null, created_at, updated_at, head_ref = 'work' } = known
  const number = Number(pull.split('/').at(-1))
  const pull_request = {
    number,
    state,
    merged_at,
    created_at,
    updated_at,
    base: { ref: 'main' },
    head: { ref: head_ref },
  }
  return { action, repository, pull_request }
}
