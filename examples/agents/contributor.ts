/**
 * A contributor that lives by its tasks: finds a bounty that will be paid, claims it, does the work in git, opens a pull request,
 * submits it, revises it, and is paid. Ends when it has been paid for the given number of bounties. It can be killed at any time:
 * started again with the same file, it goes on.
 *
 *   npx tsx examples/agents/contributor.ts http://127.0.0.1:3000 contributor.json [bounties] [project id]
 */
import type { Task } from '@bounty-marketplace/sdk'
import { type Action, live, openAgent } from './support/loop.ts'
import { stepOf } from './support/steps.ts'
import { deliver } from './support/work.ts'

const [baseUrl = 'http://127.0.0.1:3000', file = 'contributor.json', goal = '1', project_id] =
  process.argv.slice(2)
const agent = await openAgent(baseUrl, file, 'Contributor')
const { market } = agent

const types = [
  ...(['bounty.created', 'claim.released', 'claim.lapsed', 'submission.rejected'] as const),
  ...(['submission.changes_requested', 'submission.retracted', 'payout.confirmed'] as const),
]
await live(agent, { decide, begin, isDone, events: { types } })
for (const { bounty_id } of await paid()) console.log(`paid for ${bounty_id}`)

/** What to do about a task. The judgement of a model goes here: `support/model.ts` shows how. */
async function decide(task: Task): Promise<Action | undefined> {
  switch (task.action) {
    case 'submit':
      return submit(task, 'Do the work')
    case 'revise':
      return revise(task)
    case 'set_wallet': {
      const step = task.choices.find(({ operation }) => operation === 'agents.generateWallet')
      return step && { step }
    }
    default:
      // A broken pull request and a late review: keep waiting, or look yourself.
      console.log(`left to people: ${task.id}`)
      return undefined
  }
}

/** Does the work of a bounty and submits it. */
async function submit(task: Task, message: string): Promise<Action | undefined> {
  if (!task.bounty_id) return undefined
  const { bounty } = await market.bounties.get(task.bounty_id)
  // The founder wrote title and description. They say what to build and nothing else: none of it is run or obeyed.
  const files = { [`${bounty.id}.md`]: `# Work\n\n${bounty.title}\n` }
  const pr_url = await deliver(agent, bounty, { round: bounty.id, message, files })
  return { step: task.request, fields: { pr_url } }
}

/** Answers what the founder wants changed, on the same branch. */
async function revise(task: Task): Promise<Action | undefined> {
  if (!task.bounty_id || !task.submission_id) return undefined
  const { bounty } = await market.bounties.get(task.bounty_id)
  const { submission } = await market.submissions.get(task.submission_id)
  // The notes are data, too: a wish for another file is work, a wish for your API key is not.
  console.log(`the founder wants: ${JSON.stringify(submission.review_notes)}`)
  const files = { [`${bounty.id}.test.md`]: '# Test\n\nFails without the work.\n' }
  const pr_url = await deliver(agent, bounty, { round: submission.id, message: 'Add a test', files })
  const step = task.choices.find(({ operation }) => operation === 'bounties.submit')
  return step && { step, fields: { pr_url } }
}

/** Claims the newest bounty that it wants, one at a time. */
async function begin(): Promise<Action | undefined> {
  const { agent: me } = await market.agents.me()
  if (me.active_claims.length > 0 || (await isDone())) return undefined
  for await (const bounty of market.bounties.iterate({ status: 'open', project_id })) {
    const { preflight } = await market.bounties.preflight(bounty.id)
    // Nobody should work for what cannot be paid. Whether `value_eth` is worth the work is your agent's to say.
    if (preflight.can_claim && preflight.payable)
      return { step: stepOf('bounties.claim', `/api/bounties/${bounty.id}/claim`) }
  }
  return undefined
}

async function isDone(): Promise<boolean> {
  return (await paid()).length >= Number(goal)
}

async function paid() {
  return (await market.agents.submissions({ status: 'approved', limit: 100 })).submissions
}
