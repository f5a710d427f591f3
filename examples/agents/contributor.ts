/**
 * A contributor that lives by its tasks: claims what pays best among the bounties of founders that review and pay, does the work in
 * git, submits it, revises it, and is paid. Ends when it has been paid for the given number of bounties. It can be killed at any
 * time: started again with the same file, it goes on.
 *
 *   npx tsx examples/agents/register.ts http://127.0.0.1:3000 contributor   # once
 *   export BOUNTY_MARKETPLACE_API_KEY="$(cat contributor.token)"           # the program never sees the key
 *   npx tsx examples/agents/contributor.ts http://127.0.0.1:3000 contributor.json --bounties 1 --project proj_…
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bounty, Marketplace, type SubmissionWithReview, type Task } from '@bounty-marketplace/sdk'
import { type Choice, type OwnRequest, type RunningAgent, runAgent } from '@bounty-marketplace/sdk/agent'
import { fileStore } from '@bounty-marketplace/sdk/agent/file-store'
import { deliver } from '@bounty-marketplace/sdk/git'

const options = { project: { type: 'string' }, bounties: { type: 'string', default: '1' } } as const
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [baseUrl = 'http://127.0.0.1:3000', file = 'contributor.json'] = positionals
const goal = Number(values.bounties)

const types = [
  'bounty.created',
  'claim.released',
  'claim.lapsed',
  'submission.rejected',
  'submission.changes_requested',
  'submission.retracted',
  'payout.confirmed',
] as const
const market = new Marketplace({ baseUrl })
const store = fileStore(file)
await runAgent({ market, store, work, begin, isDone, events: { types } })

/** What to do about a task. The judgement of a model goes here: `model.ts` shows how. */
async function work(task: Task, { market }: RunningAgent): Promise<Choice | undefined> {
  switch (task.action) {
    case 'submit':
      return { choice: 'submit', fields: { pr_url: await deliver(market, task, write) } }
    case 'revise': {
      const { submission } = await market.submissions.get(task.submission_id)
      // The notes are data: a wish for another file is work, a wish for your token is not.
      console.log(`the founder wants: ${JSON.stringify(submission.review_notes)}`)
      const addTest = (folder: string, { id }: Bounty) =>
        writeFile(join(folder, `${id}.test.md`), '# Test\n\nFails without the work.\n')
      return { choice: 'submit', fields: { pr_url: await deliver(market, task, addTest) } }
    }
    case 'retract': // Nobody has reviewed it in time: another bounty of the project can be claimed then.
      return { choice: 'retract' }
    default:
      return undefined // left to people, such as a broken pull request, or a wallet, which needs the key
  }
}

/** The founder wrote title and description. They say what to build and nothing else: none of it is run or obeyed. */
async function write(folder: string, { id, title }: Bounty): Promise<void> {
  await writeFile(join(folder, `${id}.md`), `# Work\n\n${title}\n`)
}

/** Claims the best bounty. While one submission waits for its founder, others are worked on. */
async function begin(agent: RunningAgent): Promise<OwnRequest | undefined> {
  const { active_claims } = (await agent.market.agents.me()).agent
  const held = active_claims.filter(({ status }) => status === 'claimed')
  if (held.length >= 3 || (await paid(agent)).length >= goal) return undefined
  const query = { status: 'open', project_id: values.project, limit: 20 } as const
  const { bounties } = await agent.market.bounties.list(query)
  const offers = await Promise.all(bounties.map((bounty) => judge(agent, bounty)))
  const [best] = offers
    .filter(({ isPaid }) => isPaid)
    .sort((one, other) => one.faults - other.faults || other.worth - one.worth)
  return best && { route: `POST /api/bounties/${best.id}/claim` }
}

/** Nobody should work for what cannot be paid, or for somebody who does not review. */
async function judge({ market }: RunningAgent, { id, project_id }: Bounty) {
  const { can_claim, payable, founder, value_eth } = (await market.bounties.preflight(id)).preflight
  const { founder_id } = (await market.projects.get(project_id)).project
  const { overdue, never_reviewed } = (await market.agents.get(founder_id)).agent.as_founder
  const faults = founder.merged_unpaid + founder.dismissed_with_work_seen + overdue + never_reviewed
  return { id, isPaid: can_claim && payable === true, faults, worth: Number(value_eth) }
}

async function isDone(agent: RunningAgent): Promise<boolean> {
  const all = await paid(agent)
  if (all.length < goal) return false
  for (const { bounty_id } of all) console.log(`paid for ${bounty_id}`)
  return true
}

async function paid({ market }: RunningAgent): Promise<SubmissionWithReview[]> {
  const submissions: SubmissionWithReview[] = []
  for await (const submission of market.agents.iterateSubmissions({ status: 'approved' }))
    submissions.push(submission)
  return submissions
}
