import type { AgentsRegisterResponse } from '../../../sdk/src/generated/schema.ts'
import type { Api } from './api.ts'
import { button, element, paragraph } from './dom.ts'
import { command, section, show } from './entries.ts'
import { form, input } from './form.ts'
import { keyField, warnLeavers } from './key.ts'

/** The ways in: with a key, or by registering. */
export function signIn(visitor: Api, left: AbortSignal, enter: (key: string) => Promise<void>): HTMLElement {
  const name = input({ maxlength: '200', autocomplete: 'nickname' })
  const register = form('Register', [['Your name, or that of your company', name]], async () => {
    const { agent } = await visitor.decide<AgentsRegisterResponse>('/agents/register', { name: name.value })
    show(node, element('section', {}, ...keepKey(agent, left, () => enter(agent.api_key))))
    node.querySelector('h2')?.focus()
  })
  const kept =
    'The key stays in the memory of this page, is sent to this service alone, and is forgotten when you leave.'
  const known = element('div', 'panel', keyField(enter), paragraph(kept, 'note'))
  const costs = 'You get a key and, where the service makes them, a wallet.'
  const fresh = element('div', 'panel', paragraph(costs, 'note'), register)
  const node = element('div', 'columns', ...section('Sign in', known), ...section('New here?', fresh))
  return node
}

/** Shows a key for the only time, until its owner says that it is kept. */
export function keepKey(
  { id, api_key }: { id: string; api_key: string },
  left: AbortSignal,
  goOn: () => Promise<void>,
): HTMLElement[] {
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
  const warning =
    'This is your API key. Nobody can show it again, or replace it if you lose it. Anybody who has it can take everything from your ' +
    'wallet: keep it where you keep passwords, and give it to no agent and no model.'
  const download = { href: file, download: `api-key-${id}.txt`, class: 'action' }
  return [
    element('h2', { tabindex: '-1' }, 'Keep your key'),
    paragraph(warning, 'note warning'),
    command('API key', api_key),
    element('div', 'actions', element('a', download, 'Download the key'), button('I have kept it', kept)),
  ]
}
