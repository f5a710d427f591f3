import type {
  AccessToken,
  AgentsCreateTokenResponse,
  AgentsRotateKeyResponse,
  AgentsTokensResponse,
} from '../../../sdk/src/generated/schema.ts'
import { createActions } from './actions.ts'
import { button, element, fill, paragraph } from './dom.ts'
import { command, entry, section, show } from './entries.ts'
import { form, input } from './form.ts'
import { createMessages, type Messages, report } from './messages.ts'
import type { Desk, Part } from './part.ts'
import { keepKey } from './sign-in.ts'

const path = '/agents/me/tokens'
const scopes = {
  work: 'work: post, pay, claim and submit, but not withdraw',
  read: 'read: look, and change nothing',
} as const

/** Tokens for agents and machines, and the key itself. */
export function createAccess(desk: Desk): Part {
  const { api } = desk
  const messages = createMessages()
  const fresh = element('div', 'panel')
  const list = element('div', 'panel')
  const node = element('div', 'panel')

  async function refresh(): Promise<number | undefined> {
    if (!desk.hasKey) return undefined
    const { tokens } = await api.get<AgentsTokensResponse>(path)
    const rows = tokens.map((token) => rowOf(desk, token, messages))
    if (!list.querySelector('.confirm')) show(list, ...section('Tokens', rows, 'There is no token.'))
    return tokens.length
  }

  const label = input({ maxlength: '100', value: 'My agent' })
  const options = Object.entries(scopes).map(([value, says]) => element('option', { value }, says))
  const scope = element('select', {}, ...options)
  const fields = [
    ['Name by which you know it again', label],
    ['What it may do', scope],
  ] as const
  const make = form('Make a token', fields, async () => {
    const wanted = { scope: scope.value, label: label.value }
    const { secret } = await api.decide<AgentsCreateTokenResponse>(path, wanted)
    show(fresh, ...waysIn(secret))
    await desk.refresh()
    report(messages, 'Made. It is shown once, here, and ends after 90 days.')
  })
  const parts = [...section('A token for your agent', make), ...section('Your key', replaceKey(desk, node))]
  if (desk.hasKey) fill(node, messages.node, fresh, list, ...parts)
  else
    fill(
      node,
      paragraph('An access token neither sees nor changes access: sign in with the API key.', 'empty'),
    )
  return { node, refresh }
}

function rowOf(
  { api, refresh }: Desk,
  { id, label, scope, expires_at }: AccessToken,
  messages: Messages,
): HTMLElement {
  const { node, box, ask, send } = createActions('actions', messages)
  const revoke = async () => {
    await api.decide(`${path}/${id}`, {}, 'DELETE')
    await refresh()
    return ['Revoked: ', { foreign: label }, ' no longer works.']
  }
  const lines = [['Revoke ', { foreign: label }, '? What uses it stops working at once.']]
  const question = { lines, keep: 'Keep it', act: 'Revoke it' }
  fill(
    box,
    button('Revoke…', (event) => ask(question, event, () => void send('Revoking…', revoke))),
  )
  return entry({ title: { foreign: label }, details: [scopes[scope], ['ends ', { time: expires_at }]] }, node)
}

/** Offers a new key, which is shown in `place` until it is kept. */
function replaceKey({ api, left, enter }: Desk, place: HTMLElement): HTMLElement {
  const { node, box, ask, send } = createActions()
  const replace = async () => {
    const { agent } = await api.decide<AgentsRotateKeyResponse>('/agents/me/rotate-key', {})
    show(place, element('section', {}, ...keepKey(agent, left, () => enter(agent.api_key))))
    place.querySelector('h2')?.focus()
    return ''
  }
  const lines = [
    'Replace the key? The new one is shown once. The old one works for 10 more minutes; tokens stay.',
  ]
  const question = { lines, keep: 'Keep this key', act: 'Replace it' }
  fill(
    box,
    button(
      'Replace the key…',
      (event) => ask(question, event, () => void send('Replacing…', replace)),
      'danger',
    ),
  )
  return node
}

/** What to say to an agent, or to give to its program. */
function waysIn(secret: string): HTMLElement[] {
  const { origin } = location
  const headers = { Authorization: `Bearer ${secret}` }
  const server = { mcpServers: { bounties: { type: 'http', url: `${origin}/mcp`, headers } } }
  const sentence = `Read ${origin}/skill.md and follow it. Your access token is ${secret}: send it as "Authorization: Bearer". Begin with GET ${origin}/api/agents/me/tasks.`
  return [command('Say this to it', sentence), command('Or connect it by MCP', JSON.stringify(server))]
}
