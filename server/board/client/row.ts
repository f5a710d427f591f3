import type { Task } from '../../../sdk/src/generated/schema.ts'
import type { Badge, Inline } from '../page.ts'
import { type Api, Failure, reasonOf } from './api.ts'
import { createConversation } from './conversation.ts'
import { addCopyButtons } from './copy.ts'
import { type OpenTask, offer } from './decisions.ts'
import { type Details, readDetails } from './details.ts'
import { createDiff } from './diff.ts'
import { button, element, fill, inline, list } from './dom.ts'
import { createMessages } from './messages.ts'
import { addAges } from './times.ts'

/** A bounty in the list. */
export interface Row {
  readonly view: HTMLElement
  /** Shows another task, or that none waits. A half-written note and an open question stay. */
  update(task: Task | undefined): void
}

/** What a row is about. */
export interface RowOptions {
  api: Api
  task: Task
  title: Inline
  /** Symbol of the project's token. */
  symbol: string
  /** Reads again what waits. */
  refresh(): Promise<void>
}

const badges: Record<string, string> = {
  review: 'in review',
  approve: 'being paid',
  merge: 'paid: merge waits',
}

/** Makes a row. What it is about is read whenever the founder opens it. */
export function createRow({ api, task: first, title, symbol, refresh }: RowOptions): Row {
  const state = element('span')
  const facts = element('div')
  const question = element('div')
  const box = element('fieldset', 'decide')
  const messages = createMessages()
  const notes = element('textarea', { rows: '3', dir: 'auto', maxlength: '5000' })
  const summary = element('summary', {}, inline(title), state)
  const conversation = createConversation(api, `${first.bounty_id}`, messages.say)
  const view = element('details', 'task', summary, facts, messages.node, question, box)
  let waits = true
  let readings = 0
  const show = (badge: string, tone: Badge['tone']) => fill(state, inline({ badge, tone }))
  const open: OpenTask = {
    ...messages,
    api,
    symbol,
    notes,
    question,
    box,
    conversation: conversation.box,
    task: first,
    decided(badge) {
      waits = false
      show(badge, badge === 'paid' || badge === 'merged' ? 'good' : 'busy')
    },
    async again() {
      await refresh()
      await read()
    },
  }

  async function read(): Promise<void> {
    const reading = ++readings
    fill(box, 'Reading…')
    try {
      const [details] = await Promise.all([readDetails(api, open.task, symbol), conversation.read()])
      if (reading !== readings) return
      showFacts(facts, factsOf(api, details, conversation.texts))
      fill(box)
      box.disabled = false
      if (waits) offer(open, details)
    } catch (thrown) {
      if (reading !== readings) return
      box.disabled = false
      const again = button('Read it again', () => void read())
      fill(box, again)
      messages.say(reasonOf(thrown), true)
    }
  }

  view.ontoggle = () => {
    if (view.open && !box.disabled) void read()
  }
  show(badges[first.action] ?? '', 'busy')
  return {
    view,
    update(task) {
      if (task ? waits && task.id === open.task.id : !waits) return
      waits = task !== undefined
      if (task && task.submission_id !== open.task.submission_id) {
        // Another round: what was said about the one before is not meant for it.
        notes.value = ''
        messages.say('')
      }
      if (task) open.task = task
      show(badges[task?.action ?? ''] ?? 'no longer waits', task ? 'busy' : 'quiet')
      if (view.open && !box.disabled) void read()
    },
  }
}

/** What a founder reads before a decision: facts, texts and changes. */
function factsOf(
  api: Api,
  { facts, folded, pull, submission: { id, pr_url } }: Details,
  texts: HTMLElement,
): HTMLElement[] {
  const more = element('details', {}, element('summary', {}, 'More facts'), list(folded))
  const isKnown = pull && !(pull instanceof Failure)
  const changes = isKnown ? [element('h3', {}, 'Changes'), createDiff(api, id, pull.head_sha, pr_url)] : []
  return [list(facts), more, texts, ...changes]
}

function showFacts(box: HTMLElement, facts: ReturnType<typeof factsOf>): void {
  fill(box, ...facts)
  addCopyButtons(box)
  addAges(box)
}
