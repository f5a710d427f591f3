import type { Inline } from '../page.ts'
import { element, fill, inline } from './dom.ts'

/** Where a part of the desk says what happens. */
export interface Messages {
  readonly node: HTMLElement
  /** Shows a message, or none. Screen readers read it when they have time, an urgent one at once. */
  say(text: Inline, isUrgent?: boolean): void
}

/** Says what came of something, where what was pressed for it is gone. */
export function report({ node, say }: Messages, text: Inline): void {
  say(text)
  node.focus()
}

/** Creates a place for messages, which says nothing yet. It takes the focus where what had it is gone. */
export function createMessages(): Messages {
  const status = element('p', { role: 'status' })
  const alert = element('p', { role: 'alert' })
  return {
    node: element('div', { class: 'messages', tabindex: '-1' }, status, alert),
    say(text, isUrgent = false) {
      fill(status, inline(isUrgent ? '' : text))
      fill(alert, inline(isUrgent ? text : ''))
    },
  }
}
