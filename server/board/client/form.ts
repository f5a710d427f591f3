import { reasonOf } from './api.ts'
import { element } from './dom.ts'
import { warnLeavers } from './key.ts'
import { createMessages, type Messages } from './messages.ts'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** A line of text that has to be filled in, unless `required` is taken away. */
export const input = (attributes: Record<string, string> = {}) =>
  element('input', { type: 'text', required: '', dir: 'auto', ...attributes })

/** Several lines of text. */
export const area = () => element('textarea', { rows: '4', required: '', dir: 'auto', maxlength: '2000' })

/** What people may write, where the board shows it to others. */
export const markdownWorks = 'Markdown works.'

/** A form whose fields are disabled while it is sent, when leaving the page is warned against. A failure is explained beside its button. */
export function form(
  label: string,
  fields: readonly (readonly [label: string, control: Control] | Node)[],
  send: (say: Messages['say']) => Promise<void>,
): HTMLFormElement {
  const labels = fields.map((field) => (field instanceof Node ? field : element('label', {}, ...field)))
  const { node, say } = createMessages()
  const box = element('fieldset', 'panel', ...labels, element('button', {}, label), node)
  const made = element('form', { autocomplete: 'off' }, box)
  made.onsubmit = async (event) => {
    event.preventDefault()
    box.disabled = true
    say('Sending…')
    const over = warnLeavers()
    try {
      await send(say)
      say('')
    } catch (thrown) {
      say(reasonOf(thrown), true)
    }
    over()
    box.disabled = false
  }
  return made
}
