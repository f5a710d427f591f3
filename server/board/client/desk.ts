import type {
  AgentsMeResponse,
  AgentsProjectsResponse,
  ConfigPublicResponse,
  EventsListResponse,
} from '../../../sdk/src/generated/schema.ts'
import type { Inline, Row } from '../page.ts'
import { agentLink } from '../pages/parts.ts'
import { createAccess } from './access.ts'
import { type Api, attempt, createApi, Failure, reasonOf } from './api.ts'
import { createBounties } from './bounties.ts'
import { addCopyButtons } from './copy.ts'
import { button, element, fill, paragraph } from './dom.ts'
import { createInbox } from './inbox.ts'
import { isKey, openLinksBeside } from './key.ts'
import { addKeys } from './keys.ts'
import { createMessages } from './messages.ts'
import type { Desk, Part } from './part.ts'
import { isEarly, keepAsking, waitSeconds } from './polling.ts'
import { createPost } from './post.ts'
import { signIn } from './sign-in.ts'
import { createWallet } from './wallet.ts'
import { createWork } from './work.ts'

const parts = [
  ['inbox', 'Inbox', createInbox],
  ['bounties', 'My bounties', createBounties],
  ['work', 'My work', createWork],
  ['wallet', 'Wallet', createWallet],
  ['access', 'Access', createAccess],
  ['new', '', createPost],
] as const
/** The first parts say how much they have, also while another one is shown. */
const counted = 3
const refusal = 'unauthorized'

/**
 * Opens the desk of an agent. The API key is in a closure of `createApi` alone. The key and everything that the desk has shown are
 * gone once its owner signs out or leaves the page, even into the back/forward cache.
 */
function openDesk(root: HTMLElement): void {
  const { node: said, say } = createMessages()
  const place = element('div', 'panel')
  let session = new AbortController()
  let refresh = async () => {}

  function restart(): AbortSignal {
    session.abort()
    session = new AbortController()
    refresh = async () => {}
    showCount(0)
    fill(place)
    return session.signal
  }

  function forget(message: Inline = '', isUrgent = false): void {
    const left = restart()
    root.classList.remove('open')
    fill(place, signIn(createApi('', left), left, enter))
    say(message, isUrgent)
    if (message) said.focus()
  }

  function fail(thrown: unknown, isFirst = false): void {
    const isRefused = thrown instanceof Failure && thrown.code === refusal
    const message = isRefused ? 'No agent has this key. (unauthorized)' : reasonOf(thrown)
    if (isFirst || isRefused) forget(message, true)
    else say(message, true)
  }

  async function enter(key: string): Promise<void> {
    if (!isKey(key)) return say('Enter the API key of an agent.', true)
    const left = restart()
    // Now, so that nothing moves later.
    root.classList.add('open')
    say('Reading…')
    said.focus()
    try {
      const api = createApi(key, left)
      // The cursor comes before the lists, so nothing is missed between them.
      const { cursor } = await api.get<EventsListResponse>('/events?mine=true')
      const shared = { hasKey: !key.startsWith('bmt_'), left, enter, refresh: () => refresh() }
      const desk = await readDesk(api, shared)
      const tabs = createTabs(desk)
      addEventListener('hashchange', () => void tabs.go().catch(fail), { signal: left })
      refresh = () => tabs.refresh().catch(fail)
      const leave = button('Sign out', () => forget('Signed out: the key is forgotten.'))
      const whose = paragraph([agentLink(desk.me.id, desk.me.name), ' · forgotten when you leave this page'])
      say('')
      fill(place, element('div', 'bar', tabs.nav, element('div', 'whose', whose, leave)), tabs.node)
      await refresh()
      follow(api, cursor, { refresh: () => refresh(), fail, signal: left })
    } catch (thrown) {
      fail(thrown, true)
    }
  }

  openLinksBeside(() => root.classList.contains('open'))
  fill(root, said, place)
  forget()
  if (location.hash === '#new') say('Sign in or register first, then say title, task and reward.')
  addEventListener('pagehide', () => forget())
  addEventListener('visibilitychange', () => document.hidden || void refresh())
  root.hidden = false
}

const { title } = document

/** Says in the title how much waits. */
function showCount(waiting: number): void {
  document.title = waiting ? `(${waiting}) ${title}` : title
}

async function readDesk(
  api: Api,
  shared: Pick<Desk, 'hasKey' | 'left' | 'enter' | 'refresh'>,
): Promise<Desk> {
  const [{ agent: me }, { config }] = await Promise.all([
    api.get<AgentsMeResponse>('/agents/me'),
    api.get<ConfigPublicResponse>('/config/public'),
  ])
  return {
    ...shared,
    api,
    me,
    config,
    projects: async () => (await api.get<AgentsProjectsResponse>('/agents/me/projects?limit=100')).projects,
    async rows(ids) {
      const wanted = [...new Set(ids)].filter((id) => id !== null)
      const path = `/desk/rows?ids=${wanted}`
      const read = wanted.length ? await attempt(api.get<Record<string, Row>>(path, {}, '')) : {}
      const rows = read instanceof Failure ? {} : read
      // What is not known is shown by its id.
      return (id) => rows[`${id}`] ?? { title: `${id}` }
    },
  }
}

/** The parts, one of which is visible: the one that the address names. */
function createTabs(desk: Desk) {
  const all = parts.map(([name, label, create]) => {
    const count = element('data')
    const link = element('a', { href: `#${name}` }, label, ' ', count)
    return { name, link, count, part: create(desk) as Part }
  })
  const nav = element(
    'nav',
    { class: 'tabs', 'aria-label': 'Parts of the desk' },
    // What posts has its button above all pages.
    ...all.filter(({ name }) => name !== 'new').map(({ link }) => link),
  )
  const node = element('div', 'panel')
  let last = Promise.resolve()
  const now = () => all.find(({ name }) => name === location.hash.slice(1).split('/')[0]) ?? all[0]

  async function read(): Promise<void> {
    const shown = now()
    const wanted = all.filter(({ name }, nth) => name === shown?.name || nth < counted)
    const counts = await Promise.all(wanted.map(({ part }) => part.refresh()))
    for (const [nth, { name, count: place }] of wanted.entries()) {
      const count = counts[nth]
      place.textContent = count ? `${count}` : ''
      if (name === 'inbox') showCount(count ?? 0)
    }
  }

  /** One reading after the other, so that an older one never shows last. */
  function refresh(): Promise<void> {
    last = last.catch(() => undefined).then(read)
    return last
  }

  function place() {
    const shown = now()
    for (const { link, name } of all)
      if (name === shown?.name) link.ariaCurrent = 'page'
      else link.removeAttribute('aria-current')
    if (shown && shown.part.node.parentNode !== node) fill(node, shown.part.node)
    shown?.part.open?.(decodeURIComponent(location.hash.split('/').slice(1).join('/')))
  }
  place()

  return {
    nav,
    node,
    refresh,
    async go() {
      place()
      await refresh()
    },
  }
}

/** Reads again as soon as something has happened that is the agent's. */
function follow(
  api: Api,
  cursor: string,
  desk: { refresh(): Promise<void>; fail(thrown: unknown): void; signal: AbortSignal },
): void {
  let after = cursor
  keepAsking(async (_, longer) => {
    const begun = Date.now()
    const path = `/events?mine=true&wait=${waitSeconds}&after=${encodeURIComponent(after)}`
    const page = await api.get<EventsListResponse>(path).catch((thrown) => {
      if (thrown.code === refusal) desk.fail(thrown)
      throw thrown
    })
    after = page.cursor
    if (page.events.length > 0 || page.truncated) await desk.refresh()
    else if (!page.has_more && isEarly(begun)) return longer()
    return 0
  }, desk.signal)
}

const root = document.getElementById('desk')
addKeys()
addCopyButtons(document)
if (root) openDesk(root)
