import type { Task } from '../../../sdk/src/generated/schema.ts'
import type { Row } from '../page.ts'
import { createActions } from './actions.ts'
import { Failure, reasonOf } from './api.ts'
import { createConversation } from './conversation.ts'
import { addCopyButtons } from './copy.ts'
import { type OpenSubject, offer } from './decisions.ts'
import { type Details, readDetails } from './details.ts'
import { createDiff } from './diff.ts'
import { button, element, fill, inline, list, paragraph } from './dom.ts'
import { detailsOf } from './entries.ts'
import type { Desk } from './part.ts'
import { addAges } from './times.ts'

/** What tasks are about, with all that can be done about them: a bounty, a project, the wallet or a webhook. */
export interface Subject {
  readonly node: HTMLElement
  /** Shows other tasks, or that none waits. A half-written text and an open question stay. */
  update(tasks: readonly Task[]): void
  read(): Promise<void>
}

export function createSubject(desk: Desk, first: readonly Task[], row: Row): Subject {
  const bountyId = first[0]?.bounty_id
  const actions = createActions('panel')
  actions.node.classList.add('decisions')
  const why = element('div', 'panel')
  const facts = element('div', 'panel')
  const conversation = bountyId ? createConversation(desk.api, bountyId, actions, again) : undefined
  const head = headOf(row)
  const node = element(
    'section',
    { class: 'subject', tabindex: '-1' },
    paragraph({ page: '#inbox', label: '← Inbox' }, 'back'),
    element('h2', {}, inline(row.title)),
    head,
    why,
    facts,
    ...(conversation ? [conversation.box] : []),
    actions.node,
  )
  let readings = 0
  const open: OpenSubject = { ...actions, desk, tasks: first, fields: new Map(), again }

  async function again(): Promise<void> {
    await desk.refresh()
    await read()
  }

  async function read(): Promise<void> {
    const reading = ++readings
    const { tasks } = open
    showWhy(why, head, tasks)
    fill(actions.box, 'Reading…')
    try {
      const founders = tasks.find(({ action }) => /^(review|approve|merge)$/.test(action))
      const [known] = await Promise.all([founders && readDetails(desk, founders, row), conversation?.read()])
      if (reading !== readings) return
      fill(facts, ...(known ? factsOf(known) : []), ...(conversation ? [conversation.texts] : []))
      if (known) facts.append(...changesOf(desk, known))
      addCopyButtons(facts)
      addAges(facts)
      fill(actions.box)
      actions.box.disabled = false
      offer(open, known)
    } catch (thrown) {
      if (reading !== readings) return
      actions.box.disabled = false
      fill(
        actions.box,
        button('Read it again', () => void read()),
      )
      actions.say(reasonOf(thrown), true)
    }
  }

  return {
    node,
    read,
    update(tasks) {
      if (idsOf(tasks) === idsOf(open.tasks)) return
      const round = roundOf(tasks)
      if (round && round !== roundOf(open.tasks)) {
        // Another round: what was said about the one before is not meant for it.
        open.fields.clear()
        actions.say('')
      }
      open.tasks = tasks
      if (node.isConnected && !actions.box.disabled) void read()
    },
  }
}

const headOf = ({ figure = '', note = '', details = [] }: Row) =>
  detailsOf([figure, note, ...details.slice(1)].filter(Boolean))
const idsOf = (tasks: readonly Task[]) => tasks.map(({ id, submission_id }) => id + submission_id).join()
/** The submission that tasks are about. */
const roundOf = (tasks: readonly Task[]) => tasks.map(({ submission_id }) => submission_id).find(Boolean)

/** Says of each task until when there is time, and what happens if nobody acts. */
function showWhy(box: HTMLElement, head: HTMLElement, tasks: readonly Task[]): void {
  const lines = tasks.map(({ due_at, consequence }) =>
    paragraph([due_at ? ['Due ', { time: due_at }, '. '] : '', { foreign: consequence }], 'note why'),
  )
  fill(box, ...(lines.length ? lines : [paragraph('Nothing about it waits for you any more.', 'note')]))
  addAges(box)
  // What was to be paid is over.
  if (!tasks.length) fill(head)
}

/** What a founder reads before a decision, the rest of it folded. */
function factsOf({ facts, folded, isAsSubmitted }: Details): HTMLElement[] {
  const all = isAsSubmitted ? 'As submitted, by a branch that names bounty and contributor' : 'More facts'
  return [list(facts), element('details', {}, element('summary', {}, all), list(folded))]
}

function changesOf({ api }: Desk, { pull, submission: { id, pr_url } }: Details): HTMLElement[] {
  if (!pull || pull instanceof Failure) return []
  return [element('h3', {}, 'Changes'), createDiff(api, id, pull.head_sha, pr_url)]
}
