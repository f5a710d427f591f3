import type { AgentsMeResponse, AgentsProjectsResponse } from '../../../sdk/src/generated/models.ts'
import type { Inline } from '../page.ts'
import { createApi, Failure, reasonOf } from './api.ts'
import { button, element, fill, inline } from './dom.ts'
import { createTaskList } from './list.ts'
import { createMessages } from './messages.ts'

/** Milliseconds between two looks at what waits, while the page is visible. */
const lookMs = 30_000

/**
 * Opens the desk of a founder. The API key is in a closure of `createApi` alone. The key and everything that the desk has shown are
 * gone once the founder forgets the key or leaves the page, even into the back/forward cache.
 */
export function openDesk(desk: HTMLElement): void {
  const { node, say } = createMessages()
  const place = element('div')
  let session = new AbortController()
  let refresh = async () => {}

  function forget(said: Inline = '', isUrgent = false): void {
    session.abort()
    session = new AbortController()
    refresh = async () => {}
    fill(place, keyField(enter))
    say(said, isUrgent)
    if (said) node.focus()
  }

  function fail(thrown: unknown, isFirst: boolean): void {
    const isRefused = thrown instanceof Failure && thrown.code === 'unauthorized'
    const said = isRefused ? 'No agent has this key. (unauthorized)' : reasonOf(thrown)
    if (isFirst || isRefused) forget(said, true)
    else say(said, true)
  }

  async function enter(key: string): Promise<void> {
    if (!/^[!-~]+$/.test(key)) return say('Enter the API key of an agent.', true)
    const api = createApi(key, session.signal)
    fill(place)
    say('Reading…')
    node.focus()
    try {
      const [{ agent }, { projects }] = await Promise.all([
        api.get<AgentsMeResponse>('/agents/me'),
        api.get<AgentsProjectsResponse>('/agents/me/projects?limit=1'),
      ])
      const owner: Inline = [{ foreign: agent.name, most: 60 }, ` (${agent.id})`]
      if (projects.length === 0)
        return forget([owner, ' has founded no project, so nothing waits for it here. (no_project)'], true)
      const list = createTaskList(api, say, (thrown) => fail(thrown, false))
      refresh = list.refresh
      const again = button('Read again', () => void refresh())
      const leave = button('Forget the key', () => forget('Forgotten.'))
      const whose = element('p', {}, inline(['Desk of ', owner]))
      fill(place, whose, element('div', 'actions', again, leave), list.node)
      await refresh()
    } catch (thrown) {
      fail(thrown, true)
    }
  }

  desk.addEventListener('click', ({ target }) => {
    // Leaving the page would forget the key.
    const link = (target as Element).closest('a')
    if (link) link.target = '_blank'
  })
  fill(desk, node, place)
  forget()
  addEventListener('pagehide', () => forget())
  const look = () => document.hidden || void refresh()
  addEventListener('visibilitychange', look)
  setInterval(look, lookMs)
  desk.hidden = false
}

/**
 * A field for the key, which is no password field in a form: browsers offer to store those. It has no name and is emptied at
 * once, so that the key gets into no address and no form data.
 */
function keyField(enter: (key: string) => Promise<void>): HTMLElement {
  const input = element('input', {
    ...{ type: 'text', class: 'secret', autocomplete: 'one-time-code' },
    ...{ autocapitalize: 'off', spellcheck: 'false' },
  })
  const take = () => {
    const key = input.value.trim()
    input.value = ''
    void enter(key)
  }
  input.onkeydown = ({ key }) => {
    if (key === 'Enter') take()
  }
  return element(
    'div',
    'key',
    element('label', {}, 'API key or access token', input),
    button('Open', take, ''),
  )
}
