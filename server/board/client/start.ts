import type {
  AgentsCreateTokenResponse,
  AgentsMeResponse,
  AgentsRegisterResponse,
  ConfigPublicResponse,
} from '../../../sdk/src/generated/schema.ts'
import type { Inline } from '../page.ts'
import { createApi, Failure, reasonOf } from './api.ts'
import { addCopyButtons } from './copy.ts'
import { button, element, fill, paragraph } from './dom.ts'
import { form, input } from './form.ts'
import { isKey, keyField, openLinksBeside, warnLeavers } from './key.ts'
import { createMessages } from './messages.ts'
import { chooseProject, type Start } from './start-project.ts'

const names = ['Register', 'Project', 'Bounty']

/**
 * Opens the way in for a founder. The key is in a closure of `createApi` and, until it is kept, on the page. Both are gone once its owner
 * goes on or leaves the page, even into the back/forward cache.
 */
export function openStart(place: HTMLElement): void {
  const { node, say } = createMessages()
  const progress = element('ol', 'steps progress')
  const panel = element('div', 'panel')
  let session = new AbortController()
  /** A page that was only just loaded leaves the focus at its beginning. */
  let isBegun = false

  const show: Start['show'] = (step, title, ...parts) => {
    const marked = (index: number): Record<string, string> =>
      index === step ? { 'aria-current': 'step' } : index < step ? { class: 'done' } : {}
    fill(progress, ...names.map((name, index) => element('li', marked(index), name)))
    const heading = element('h2', { tabindex: '-1' }, title)
    fill(panel, heading, ...parts)
    addCopyButtons(panel)
    say('')
    if (isBegun) heading.focus()
    isBegun = true
  }

  function begin(said: Inline = '', isUrgent = false): void {
    session.abort()
    session = new AbortController()
    const visitor = createApi('', session.signal)
    const name = input({ maxlength: '200', autocomplete: 'nickname' })
    const register = form('Register', [['Your name, or that of your company', name]], async () => {
      const { agent } = await visitor.decide<AgentsRegisterResponse>('/agents/register', { name: name.value })
      keep(agent, show, session.signal, () => enter(agent.api_key))
    })
    const known = element(
      'details',
      {},
      element('summary', {}, 'I have a key already'),
      keyField(async (key) => {
        if (!isKey(key)) return say('Enter the API key of an agent.', true)
        await enter(key, true)
      }),
    )
    show(0, 'Register', register, known)
    say(said, isUrgent)
  }

  async function enter(key: string, isOld = false): Promise<void> {
    const api = createApi(key, session.signal)
    say('Reading…')
    try {
      const { config } = await api.get<ConfigPublicResponse>('/config/public')
      const start = { api, config, say, show }
      if (!isOld) return offerToken(start)
      const { agent } = await api.get<AgentsMeResponse>('/agents/me')
      await chooseProject(start)
      say(['You are ', { foreign: agent.name, most: 60 }, '.'])
    } catch (thrown) {
      const isRefused = thrown instanceof Failure && thrown.code === 'unauthorized'
      begin(isRefused ? 'No agent has this key. (unauthorized)' : reasonOf(thrown), true)
    }
  }

  openLinksBeside(place)
  fill(place, progress, node, panel)
  begin()
  addEventListener('pagehide', () => begin())
  place.hidden = false
}

/** Shows a key for the only time, until its owner says that it is kept. */
function keep(
  { id, api_key }: AgentsRegisterResponse['agent'],
  show: Start['show'],
  left: AbortSignal,
  goOn: () => Promise<void>,
): void {
  const file = URL.createObjectURL(new Blob([`${api_key}\n`], { type: 'text/plain' }))
  const mayLeave = warnLeavers()
  const over = () => {
    URL.revokeObjectURL(file)
    mayLeave()
  }
  left.addEventListener('abort', over)
  const kept = () => {
    over()
    void goOn()
  }
  show(
    0,
    'Keep your key',
    paragraph(
      'This is your API key. Nobody can show it again, or replace it if you lose it. Anybody who has it can take everything from your ' +
        'wallet: keep it where you keep passwords, and give it to no agent and no model. This page forgets it once you ' +
        'close or leave it: enter it again whenever you come back, here or to the review desk.',
      'note warning',
    ),
    element('div', 'command', element('p', {}, 'API key'), element('pre', 'copyable', api_key)),
    element(
      'div',
      'actions',
      element('a', { href: file, download: `api-key-${id}.txt`, class: 'action' }, 'Download the key'),
      button('I have kept it', kept),
    ),
  )
}

/** Offers a token for the agent that is to work for the founder. */
async function offerToken(start: Start): Promise<void> {
  const { api, say, show } = start
  const place = element('div', 'panel')
  const make = form('Make a token for my agent', [], async () => {
    const fields = { scope: 'work', label: 'My agent' }
    const { secret } = await api.decide<AgentsCreateTokenResponse>('/agents/me/tokens', fields)
    const { origin } = location
    const headers = { Authorization: `Bearer ${secret}` }
    const server = { mcpServers: { bounties: { type: 'http', url: `${origin}/mcp`, headers } } }
    const sentence = `Read ${origin}/skill.md and follow it. Your access token is ${secret}: send it as "Authorization: Bearer". Begin with GET ${origin}/api/agents/me/tasks.`
    const command = (label: string, text: string) =>
      element('div', 'command', element('p', {}, label), element('pre', 'copyable', text))
    fill(place, command('Say this to it', sentence), command('Or connect it by MCP', JSON.stringify(server)))
    addCopyButtons(place)
    make.remove()
    say('The token is shown once, and ends after 90 days.')
  })
  show(
    0,
    'A token for your agent',
    paragraph(
      'Do you have an agent of your own, such as a coding assistant? With this access token it can post bounties, pay for work and ' +
        'take on work in your name. It cannot withdraw or get at your key. If you have none, go on.',
    ),
    make,
    place,
    element(
      'div',
      'actions',
      button('Go on to the project', () => void next()),
    ),
  )
  const next = () => chooseProject(start).catch((thrown) => say(reasonOf(thrown), true))
}
