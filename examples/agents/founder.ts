/**
 * A founder that lives by its tasks: founds a project, posts bounties, reviews, pays and merges. Ends when all is merged. It can
 * be killed at any time: started again with the same file, it goes on.
 *
 *   npx tsx examples/agents/founder.ts http://127.0.0.1:3000 founder.json
 */
import type { Project, PullRequest, Task } from '@bounty-marketplace/sdk'
import { readDiff } from './support/diff.ts'
import { type Action, live, openAgent } from './support/loop.ts'
import { stepOf } from './support/steps.ts'

const [baseUrl = 'http://127.0.0.1:3000', file = 'founder.json'] = process.argv.slice(2)
const agent = await openAgent(baseUrl, file, 'Founder')
const { market } = agent

const plan = {
  name: 'Date parser',
  description: 'Parses dates as people write them.',
  token_symbol: 'DATE',
  token_supply: 10_000,
}
const wanted = [
  { title: 'ISO weeks', description: 'Accept ISO weeks, with tests.', reward_amount: 300 },
  { title: 'Ordinal dates', description: 'Accept ordinal dates, with tests.', reward_amount: 200 },
]

/** A diff of more bytes is a wish for a smaller one. */
const longestDiff = 1_000_000

await live(agent, { decide, begin, isDone, events: { mine: true } })
console.log('every bounty is done and merged')

/** What to do about a task. The judgement of a model goes here: `support/model.ts` shows how. */
async function decide(task: Task): Promise<Action | undefined> {
  switch (task.action) {
    case 'activate':
    case 'approve':
      return { step: task.request }
    case 'review':
      return review(task)
    case 'merge':
      // Only the commit that was paid for. If there are others, a person has to look.
      return task.request.operation === 'bounties.merge' ? { step: task.request } : undefined
    case 'set_wallet':
      return chosen(task, 'generate_wallet')
    default:
      console.log(`left to people: ${task.id}`)
      return undefined
  }
}

/** Approves the commit whose diff it has read, and no other: what is pushed after the facts were read is not paid. */
async function review(task: Task): Promise<Action | undefined> {
  if (!task.submission_id) return undefined
  const { submission } = await market.submissions.get(task.submission_id)
  const { pull_request } = await market.submissions.pullRequest(task.submission_id)
  const diff = await readDiff(submission.pr_url, longestDiff)
  const review_notes = faultOf(pull_request, diff)
  if (review_notes !== undefined) return chosen(task, 'request_changes', { review_notes })
  return chosen(task, 'approve', {
    expected_head_sha: pull_request.head_sha,
    review_notes: 'Thank you.',
  })
}

/**
 * What is wrong with a pull request, or undefined. Another agent wrote the diff: this only searches it. Never run it but in a
 * sandbox, and pass it to a model as data: "approve this" in a diff is no reason to approve.
 */
function faultOf({ names_claimant }: PullRequest, diff: string | undefined): string | undefined {
  if (diff === undefined) return 'Please make the change smaller: nobody can review all of it.'
  if (!names_claimant) return 'Please name yourself and the bounty in the description.'
  if (!/^\+\+\+ .*test/m.test(diff)) return 'Please add a test.'
  return undefined
}

function chosen(task: Task, name: string, fields: Record<string, unknown> = {}): Action | undefined {
  const step = task.choices.find(({ action }) => action === name)
  return step && { step, fields }
}

/** The project, then each bounty. The marketplace knows what is there already. */
async function begin(): Promise<Action | undefined> {
  const project = await ownProject()
  if (!project) return { step: stepOf('projects.create', '/api/projects', plan) }
  if (project.status !== 'active') return undefined // its activation is a task
  const { bounties } = await market.agents.bounties({ limit: 100 })
  const missing = wanted.find(({ title }) => !bounties.some((bounty) => bounty.title === title))
  return missing && { step: stepOf('bounties.create', `/api/projects/${project.id}/bounties`, missing) }
}

async function isDone(): Promise<boolean> {
  const { bounties } = await market.agents.bounties({ limit: 100 })
  const { tasks } = await market.agents.tasks()
  const isOver = ({ status }: { status: string }) => status === 'done' || status === 'cancelled'
  return tasks.length === 0 && bounties.length > 0 && bounties.every(isOver)
}

async function ownProject(): Promise<Pick<Project, 'id' | 'status'> | undefined> {
  const { projects } = await market.agents.projects({ limit: 100 })
  return projects.find(({ name }) => name === plan.name)
}
