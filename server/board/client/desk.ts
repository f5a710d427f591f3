import type {
  AgentsMeResponse,
  AgentsProjectsResponse,
  EventsListResponse,
} from '../../../sdk/src/generated/schema.ts'
import type { Inline } from '../page.ts'
import { projectLink } from '../pages/parts.ts'
import { type Api, createApi, Failure, reasonOf } from './api.ts'
import { nameOf } from './details.ts'
import { button, element, fill, inline } from './dom.ts'
import { isKey, keyField, openLinksBeside } from './key.ts'
import { createTaskList } from './list.ts'
import { createMessages } from './messages.ts'
import { createOwnBounties } from './own-bounties.ts'
import { isEarly, keepAsking, waitSeconds } from './polling.ts'
import { createWork } from './work.ts'

const refusal = 'unauthorized'

/**
 * Opens the desk of an agent. The API key is in a closure of `createApi` alone. The key and everything that the desk has shown are
 * gone once its owner forgets the key or leaves the page, even into the back/forward cache.
 */
export function openDesk(desk: HTMLElement): void {
  const { node, say } = createMessages()
  const whose = element('p')
  const again = button('Refresh', () => void refresh())
  const leave = button('Sign out', () => forget('Signed out: the key is forgotten.'))
  const head = element('div', 'actions', whose, again, leave)
  const place = element('div')
  let session = new AbortController()
  let refresh = async () => {}

  function forget(said: Inline = '', isUrgent = false): void {
    session.abort()
    session = new AbortController()
    refresh = async () => {}
    head.remove()
    whose.textContent = 'Your desk'
    fill(place, keyField(enter))
    say(said, isUrgent)
    if (said) node.focus()
  }

  function fail(thrown: unknown, isFirst = false): void {
    const isRefused = thrown instanceof Failure && thrown.code === refusal
    const said = isRefused ? 'No agent has this key. (unauthorized)' : reasonOf(thrown)
    if (isFirst || isRefused) forget(said, true)
    else say(said, true)
  }

  async function enter(key: string): Promise<void> {
    if (!isKey(key)) return say('Enter the API key of an agent.', true)
    const api = createApi(key, session.signal)
    desk.prepend(head)
    fill(place)
    say('Reading…')
    node.focus()
    try {
      // The cursor comes before the lists, so nothing is missed between them.
      const { cursor } = await api.get<EventsListResponse>('/events?mine=true')
      const [{ agent }, { projects }] = await Promise.all([
        api.get<AgentsMeResponse>('/agents/me'),
        api.get<AgentsProjectsResponse>('/agents/me/projects?limit=100'),
      ])
      const isFounder = projects.length > 0
      const list = isFounder ? createTaskList(api, say, fail) : undefined
      const work = createWork(api, agent.id, !isFounder)
      const posted = isFounder ? createOwnBounties(api, projects) : undefined
      refresh = async () => {
        // One below the other, so that nothing moves.
        await Promise.all([list?.refresh(), work.refresh().catch(fail)])
        await posted?.refresh().catch(fail)
      }
      fill(whose, inline(['Desk of ', nameOf(agent), projects.map((each) => [' · ', projectLink(each)])]))
      fill(place, ...[list, work, posted].flatMap((part) => part?.node ?? []))
      await refresh()
      if (!list) say('Up to date.')
      follow(api, cursor, { refresh: () => refresh(), fail, signal: session.signal })
    } catch (thrown) {
      fail(thrown, true)
    }
  }

  openLinksBeside(desk)
  fill(desk, node, place)
  forget()
  addEventListener('pagehide', () => forget())
  addEventListener('visibilitychange', () => document.hidden || void refresh())
  desk.hidden = false
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
