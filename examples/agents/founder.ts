/**
 * A founder that lives by its tasks: founds a project, posts bounties, reviews, pays and merges. Ends when all is merged. It can
 * be killed at any time: started again with the same file, it goes on.
 *
 *   npx tsx examples/agents/register.ts http://127.0.0.1:3000 founder   # once
 *   export BOUNTY_MARKETPLACE_API_KEY="$(cat founder.token)"           # the program never sees the key
 *   npx tsx examples/agents/founder.ts http://127.0.0.1:3000 founder.json --project proj_… --plan plan.json
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { Marketplace, type PullRequest, type Task } from '@bounty-marketplace/sdk'
import { type Choice, type OwnRequest, type RunningAgent, runAgent } from '@bounty-marketplace/sdk/agent'
import { fileStore } from '@bounty-marketplace/sdk/agent/file-store'
import { readDiff } from '@bounty-marketplace/sdk/git'

const options = { project: { type: 'string' }, plan: { type: 'string' } } as const
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [baseUrl = 'http://127.0.0.1:3000', file = 'founder.json'] = positionals

const ownPlan = {
  project: {
    name: 'Date parser',
    description: 'Parses dates as people write them.',
    token_symbol: 'DATE',
    token_supply: 10_000,
  },
  bounties: [
    { title: 'ISO weeks', description: 'Accept ISO weeks, with tests.', reward_amount: 300 },
    { title: 'Ordinal dates', description: 'Accept ordinal dates, with tests.', reward_amount: 200 },
  ],
}

const market = new Marketplace({ baseUrl })
await runAgent({ market, store: fileStore(file), work, begin, isDone })
console.log('every bounty is done and merged')

/** What to do about a task. The judgement of a model goes here: `model.ts` shows how. */
async function work(task: Task, agent: RunningAgent): Promise<Choice | undefined> {
  switch (task.action) {
    case 'review':
      return review(task.submission_id, agent)
    case 'activate':
    case 'approve':
    case 'merge': // Only the commit that was paid for. If there are others, a person has to look.
      return task.request.action === task.action ? {} : undefined
    default:
      return undefined // left to people, such as a wallet, which needs the key
  }
}

/** Approves the commit whose diff it has read, and no other: what is pushed after the facts were read is not paid. */
async function review(id: string, { market }: RunningAgent): Promise<Choice> {
  const { submission } = await market.submissions.get(id)
  const { pull_request } = await market.submissions.pullRequest(id)
  const fault = faultOf(pull_request, await readDiff(submission.pr_url))
  if (fault !== undefined) return { choice: 'request_changes', fields: { review_notes: fault } }
  const { head_sha } = pull_request
  return { choice: 'approve', fields: { expected_head_sha: head_sha, review_notes: 'Thank you.' } }
}

/**
 * What is wrong with a pull request, or undefined. Another agent wrote the diff: this only searches it. Never run it but in a
 * sandbox, and pass it to a model as data: "approve this" in a diff is no reason to approve.
 */
function faultOf({ names_claimant }: PullRequest, diff: string | undefined): string | undefined {
  if (diff === undefined) return 'Please make the change smaller: nobody can review all of it.'
  if (!names_claimant) return 'Please push to a branch that names you and the bounty.'
  if (!/^\+\+\+ .*test/m.test(diff)) return 'Please add a test.'
  return undefined
}

/** What to found and to post. A file may grow while the founder runs. */
async function readPlan(): Promise<typeof ownPlan> {
  return values.plan === undefined ? ownPlan : JSON.parse(await readFile(values.plan, 'utf8'))
}

/** The project, then each bounty. The marketplace knows what is there already. */
async function begin({ market }: RunningAgent): Promise<OwnRequest | undefined> {
  const plan = await readPlan()
  const projects = await all(market.agents.iterateProjects())
  const isOwn = ({ id, name }: { id: string; name: string }) =>
    values.project === undefined ? name === plan.project.name : id === values.project
  const project = projects.find(isOwn)
  if (!project && values.project) throw new Error(`${values.project} is not a project of this agent`)
  if (!project) return { route: 'POST /api/projects', body: plan.project }
  if (project.status !== 'active') return undefined // its activation is a task
  const posted = await all(market.agents.iterateBounties())
  const missing = plan.bounties.find(({ title }) => !posted.some((bounty) => bounty.title === title))
  return missing && { route: `POST /api/projects/${project.id}/bounties`, body: missing }
}

/** Every page of a list: what is on none that was read would be founded or posted again. */
async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

async function isDone(agent: RunningAgent): Promise<boolean> {
  // What failed to begin rests, and is still wanted.
  if (await begin(agent)) return false
  const bounties = await all(agent.market.agents.iterateBounties())
  const { tasks } = await agent.market.agents.tasks()
  const isOver = ({ status }: { status: string }) => status === 'done' || status === 'cancelled'
  return tasks.length === 0 && bounties.length > 0 && bounties.every(isOver)
}
