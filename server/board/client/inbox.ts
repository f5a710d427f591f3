import type { AgentsTasksResponse, Task } from '../../../sdk/src/generated/schema.ts'
import { type Badge, capitalized, type Inline, type Row } from '../page.ts'
import { element, fill, paragraph } from './dom.ts'
import { entry, section, show } from './entries.ts'
import type { Desk, Part } from './part.ts'
import { createSubject, type Subject } from './subject.ts'

/** Everything that waits, in the order in which it is due: a list, and beside it what is open. */
export function createInbox(desk: Desk): Part {
  const list = element('div', 'panel')
  const node = element('div', 'inbox', list)
  const subjects = new Map<string, Subject>()
  let waiting = new Map<string, [Task, ...Task[]]>()
  let rowOf: (id: string | null) => Row = (id) => ({ title: `${id}` })
  let open = ''

  async function refresh(): Promise<number> {
    const { tasks, has_more } = await desk.api.get<AgentsTasksResponse>('/agents/me/tasks?limit=100')
    rowOf = await desk.rows(tasks.flatMap(({ bounty_id, project_id }) => [bounty_id, project_id]))
    waiting = new Map()
    for (const task of tasks) {
      const about = waiting.get(task.bounty_id ?? task.id)
      if (about) about.push(task)
      else waiting.set(task.bounty_id ?? task.id, [task])
    }
    const entries = [...waiting].map(([id, about]) =>
      entry(rowOfTasks(id, about, rowOf(subjectOf(about[0])))),
    )
    const more = has_more ? [paragraph('More waits after these.', 'note')] : []
    show(list, ...section('Waits for you', entries, nothing), ...more)
    markOpen()
    for (const [id, subject] of subjects) subject.update(waiting.get(id) ?? [])
    openSubject()
    return waiting.size
  }

  /** Marks the row of what is open. */
  function markOpen(): void {
    for (const link of list.querySelectorAll('a'))
      link.ariaCurrent = open && link.hash === `#inbox/${open}` ? 'true' : null
  }

  function openSubject(): void {
    const about = waiting.get(open)
    const subject = subjects.get(open) ?? (about && createSubject(desk, about, rowOf(subjectOf(about[0]))))
    if (subject) subjects.set(open, subject)
    if (subject ? subject.node.parentNode === node : !node.lastElementChild?.matches('.subject')) return
    fill(node, list, ...(subject ? [subject.node] : []))
    markOpen()
    subject?.node.focus()
    void subject?.read()
  }

  return {
    node,
    refresh,
    open(rest) {
      open = rest
      openSubject()
    },
  }
}

const nothing: Inline = [
  'Nothing waits. The title of this page says when something does. ',
  { page: '#new', label: 'Post a bounty' },
  ', ',
  { page: '/', label: 'find one' },
  ', or ',
  { page: '#access', label: 'make a token for your agent' },
  '.',
]

const subjectOf = ({ bounty_id, project_id }: Task) => bounty_id ?? project_id

/** What is to be done, coloured by how soon; when it is due; and who waits for it. */
function rowOfTasks(id: string, tasks: readonly [Task, ...Task[]], row: Row): Row {
  const { due_at, request } = tasks[0]
  const isFounders = /^bounties\.(approve|merge)|pullRequest$/.test(request.operation)
  const tone = due_at === null ? 'quiet' : Date.parse(due_at) < Date.now() ? 'bad' : 'busy'
  const verbs = tasks.map(({ action }): Badge => ({ badge: capitalized(action.replaceAll('_', ' ')), tone }))
  const { title } = row
  const of = typeof title === 'object' && 'label' in title ? title.label : ''
  const { details = [], due = [] } = row
  return {
    ...row,
    title: { page: `#inbox/${id}`, label: [verbs.map((verb) => [verb, ' ']), of] },
    details: [
      ...(due_at ? [['due ', { time: due_at }]] : []),
      ...(isFounders ? due.slice(0, 1) : []),
      ...details.slice(1),
    ],
  }
}
