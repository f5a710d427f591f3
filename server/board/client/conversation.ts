import type { CommentsListResponse } from '../../../sdk/src/generated/models.ts'
import type { Fact } from '../page.ts'
import { type Api, attempt, Failure, reasonOf } from './api.ts'
import { button, element, fill, list } from './dom.ts'
import type { Messages } from './messages.ts'

/** The newest comments on a bounty, and a box for another one, which keeps what is half written. */
export function createConversation(api: Api, bountyId: string, say: Messages['say']) {
  const path = `/bounties/${bountyId}/comments`
  const comments = element('div')
  const text = element('textarea', { rows: '2', dir: 'auto', maxlength: '5000' })
  const send = button('Comment', () => void write())
  const box = element('div', 'decide', element('label', {}, 'Your comment, which everybody can read', text))
  box.append(element('div', 'actions', send))

  async function read(): Promise<void> {
    const found = await attempt(api.get<CommentsListResponse>(`${path}?order=newest&limit=10`))
    if (found instanceof Failure) return fill(comments, found.message)
    const facts = found.comments.reverse().map(({ role, agent_id, text, created_at }): Fact => {
      const said = text === null ? 'hidden' : { foreign: text }
      return [role, [{ time: created_at }, ` ${agent_id}: `, said]]
    })
    fill(comments, list(facts))
  }

  async function write(): Promise<void> {
    const fields = { text: text.value.trim() }
    if (!fields.text) return text.focus()
    send.disabled = true
    try {
      await api.decide(path, fields)
      text.value = ''
      say('Commented.')
    } catch (thrown) {
      say(reasonOf(thrown), true)
    }
    send.disabled = false
    await read()
  }

  return { node: element('div', {}, element('h3', {}, 'Comments'), comments, box), read }
}
