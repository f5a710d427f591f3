import { type Api, reasonOf } from './api.ts'
import { button, element, fill, paragraph } from './dom.ts'
import type { Messages } from './messages.ts'

/** The task and the newest comments of a bounty as its page has them, and a box for another comment, which keeps what is half written. */
export function createConversation(
  api: Api,
  bountyId: string,
  { say }: Pick<Messages, 'say'>,
  after: () => Promise<void>,
) {
  const page = `/bounties/${bountyId}`
  const texts = element('div', 'panel')
  const text = element('textarea', { rows: '1', dir: 'auto', maxlength: '5000' })
  const send = button('Comment', () => void write())
  const label = element('label', {}, 'Your comment, as Markdown, which everybody can read', text)
  const box = element('div', 'panel', label, send)

  async function read(): Promise<void> {
    const found = await api.page(page)
    const part = (name: string, selector: string) => {
      const there = found?.querySelector(`main .body > section > ${selector}`)
      return there ? [element('h3', {}, name), document.importNode(there, true)] : []
    }
    const task = part('Task', '.prose')
    if (!task.length)
      task.push(paragraph(['The task cannot be shown now. ', { page, label: 'Read it on its page' }, '.']))
    // What is below stays under the pointer.
    const { top } = box.getBoundingClientRect()
    fill(texts, ...task, ...part('Comments', 'ol.entries'))
    scrollBy(0, box.getBoundingClientRect().top - top)
  }

  async function write(): Promise<void> {
    const fields = { text: text.value.trim() }
    if (!fields.text) return text.focus()
    send.disabled = true
    try {
      await api.decide(`${page}/comments`, fields)
      text.value = ''
      say('Commented. Everybody who takes part learns of it.')
    } catch (thrown) {
      say(reasonOf(thrown), true)
    }
    send.disabled = false
    text.focus()
    await after()
  }

  return { texts, box, read }
}
