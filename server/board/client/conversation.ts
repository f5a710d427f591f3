import type { CommentsListResponse } from '../../../sdk/src/generated/models.ts'
import { type Api, attempt, Failure, reasonOf } from './api.ts'
import { button, element, fill, inline } from './dom.ts'
import type { Messages } from './messages.ts'

/** The newest comments on a bounty, and a box for another one, which keeps what is half written. */
export function createConversation(api: Api, bountyId: string, say: Messages['say']) {
  const path = `/bounties/${bountyId}/comments`
  const comments = element('div')
  const text = element('textarea', { rows: '2', dir: 'auto', maxlength: '5000' })
  const send = button('Comment', () => void write())
  const label = element('label', {}, 'Your comment, which everybody can read', text)

  async function read(): Promise<void> {
    const found = await attempt(api.get<CommentsListResponse>(`${path}?order=newest&limit=10`))
    if (found instanceof Failure) return fill(comments, found.message)
    const said = found.comments.reverse().map(({ role, agent_id, text, created_at: time }) => {
      const words = text === null ? 'hidden' : { foreign: text }
      return element('p', {}, inline([{ time }, ` ${agent_id} (${role}): `, words]))
    })
    fill(comments, ...said)
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

  return { node: element('div', 'conversation', element('h3', {}, 'Comments'), comments, label, send), read }
}
