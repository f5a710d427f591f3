import type { Inline } from '../page.ts'
import { reasonOf } from './api.ts'
import { button, element, fill, paragraph } from './dom.ts'
import { warnLeavers } from './key.ts'
import { createMessages, type Messages, report } from './messages.ts'

/** What is asked before something is done. */
export interface Question {
  lines: readonly Inline[]
  /** Something that has to be filled in before. */
  field?: readonly [label: string, control: HTMLTextAreaElement]
  /** What else can be chosen with it. */
  choice?: HTMLElement
  /** The button that changes nothing: `Keep reviewing`. */
  keep: string
  act: string
}

/** Buttons; above them the question that one of them asks, and what came of it. */
export interface Actions extends Messages {
  /** Holds the buttons; disabled while a question is open or a request runs. */
  readonly box: HTMLFieldSetElement
  /** Asks before something that cannot be undone. */
  ask(question: Question, event: Pick<Event, 'target'>, act: () => void): void
  /** Does something while nothing else can be pressed, and says what came of it. */
  send(saying: string, work: () => Promise<Inline>): Promise<void>
}

/** Milliseconds until a question can be confirmed: nobody has read it sooner. */
const readingMs = 700

/** @param messages where to say what came of it, if the buttons may be gone by then; default: above them */
export function createActions(look = 'actions', messages?: Messages): Actions {
  const said = messages ?? createMessages()
  const { say } = said
  const question = element('div')
  const box = element('fieldset', look)

  /** What confirms stands above the buttons, which stay where they are: it is never under a pointer that has just pressed. */
  const ask: Actions['ask'] = ({ lines, field, choice, keep, act: label }, { target }, act) => {
    const opener = target as HTMLElement
    const { top } = opener.getBoundingClientRect()
    const close = () => {
      fill(question)
      box.disabled = false
      opener.focus()
    }
    const take = ({ detail }: MouseEvent) => {
      if (field && !field[1].value.trim()) field[1].focus()
      else if (detail <= 1) act()
    }
    const confirm = button(label, take, 'danger')
    confirm.disabled = true
    setTimeout(() => {
      confirm.disabled = false
    }, readingMs)
    const group = element('div', { class: 'confirm', role: 'group', tabindex: '-1' })
    group.append(...lines.map((line) => paragraph(line)), ...(field ? [element('label', {}, ...field)] : []))
    group.append(...(choice ? [choice] : []), element('div', 'actions', button(keep, close), confirm))
    group.onkeydown = ({ key }) => {
      if (key === 'Escape') close()
    }
    say('')
    box.disabled = true
    fill(question, group)
    group.focus({ preventScroll: true })
    const moved = () => opener.getBoundingClientRect().top - top
    // What stays in sight moves less than the page has grown.
    scrollBy(0, moved() && Math.max(moved(), question.offsetHeight))
    scrollBy(0, moved())
  }

  const send: Actions['send'] = async (saying, work) => {
    box.disabled = true
    fill(question)
    report(said, saying)
    const over = warnLeavers()
    try {
      report(said, await work())
    } catch (thrown) {
      say(['Not done, or not yet: ', { foreign: reasonOf(thrown) }], true)
    }
    over()
    box.disabled = false
  }

  const node = element('div', 'panel', ...(messages ? [] : [said.node]), question, box)
  return { node, say, box, ask, send }
}
