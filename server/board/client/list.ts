import type {
  AgentsGetResponse,
  AgentsTasksResponse,
  BountiesGetResponse,
  ProjectsGetResponse,
  SubmissionsGetResponse,
  Task,
} from '../../../sdk/src/generated/schema.ts'
import { type Inline, tokens } from '../page.ts'
import { type Api, attempt, Failure } from './api.ts'
import { nameOf } from './details.ts'
import { element, inline } from './dom.ts'
import type { Messages } from './messages.ts'
import { createRow, type Row } from './row.ts'

/** What waits for a founder, by project. */
export interface TaskList {
  readonly node: HTMLElement
  /** Reads what waits. What is open stays as it is. It never throws. */
  refresh(): Promise<void>
}

const ofFounders = /^(review|approve|merge)$/

/** Makes an empty list. `fail` says why it could not be read. */
export function createTaskList(api: Api, say: Messages['say'], fail: (thrown: unknown) => void): TaskList {
  const node = element('div')
  const rows = new Map<string | null, Row>()
  const projects = new Map<string | null, { symbol: string; section: HTMLElement }>()
  let last = Promise.resolve()

  async function projectOf(id: string | null) {
    const read = await attempt(api.get<ProjectsGetResponse>(`/projects/${id}`))
    const isKnown = !(read instanceof Failure)
    const name = isKnown ? { foreign: read.project.name } : `${id}`
    const section = element('section', {}, element('h2', {}, inline(name)))
    node.append(section)
    return { symbol: isKnown ? read.project.token_symbol : 'tokens', section }
  }

  async function contributorOf({ submission_id }: Task): Promise<Inline> {
    const { submission } = await api.get<SubmissionsGetResponse>(`/submissions/${submission_id}`)
    return nameOf((await api.get<AgentsGetResponse>(`/agents/${submission.agent_id}`)).agent)
  }

  async function add(task: Task): Promise<void> {
    const { bounty_id, project_id } = task
    const project = projects.get(project_id) ?? (await projectOf(project_id))
    projects.set(project_id, project)
    const { symbol, section } = project
    const [read, by] = await Promise.all([
      attempt(api.get<BountiesGetResponse>(`/bounties/${bounty_id}`)),
      attempt(contributorOf(task)),
    ])
    const title: Inline = [
      read instanceof Failure
        ? `${bounty_id} `
        : [{ foreign: read.bounty.title }, ' ', tokens(read.bounty.reward_amount, symbol), ' '],
      by instanceof Failure ? '' : ['by ', by, ' '],
    ]
    const row = createRow({ api, task, title, symbol, refresh })
    rows.set(bounty_id, row)
    section.append(row.view)
  }

  async function read(): Promise<void> {
    const { tasks, has_more } = await api.get<AgentsTasksResponse>('/agents/me/tasks?limit=100')
    const waiting = new Map(
      tasks.filter(({ action }) => ofFounders.test(action)).map((task) => [task.bounty_id, task]),
    )
    for (const [id, row] of rows) row.update(waiting.get(id))
    for (const [id, task] of waiting) if (!rows.has(id)) await add(task)
    say(`Waiting for you: ${waiting.size}${has_more ? ', and more after these' : ''}.`)
  }

  function refresh(): Promise<void> {
    last = last.then(read).catch(fail)
    return last
  }

  return { node, refresh }
}
