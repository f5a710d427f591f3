/**
 * A founder: creates a project, posts what its bounty reserve can pay, reviews what comes in and pays for it. Ends when
 * every bounty is done.
 *
 *   npx tsx examples/founder.ts http://127.0.0.1:3000
 */
import { Marketplace } from '@bounty-marketplace/sdk'

const [baseUrl = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const { agent } = await new Marketplace({ baseUrl }).agents.register({ name: 'Founder' })
const market = new Marketplace({ baseUrl, apiKey: agent.api_key })

const { project } = await market.projects.create({
  name: 'Date parser',
  description: 'Parses dates as people write them.',
  token_symbol: 'DATE',
  token_supply: 10_000,
})
await market.projects.activateAndWait(project.id)
console.log(`project ${project.id}`)

const wanted = [
  { title: 'ISO weeks', reward_amount: 300 },
  { title: 'Ordinal dates', reward_amount: 200 },
]
const funds = await market.projects.approvalStatus(project.id)
const total = wanted.reduce((sum, { reward_amount }) => sum + reward_amount, 0)
if (BigInt(funds.available) < BigInt(total)) throw new Error(`only ${funds.available} tokens are available`)
const open = new Set<string>()
for (const fields of wanted) {
  const description = `Accept ${fields.title.toLowerCase()}, with tests.`
  const { bounty } = await market.bounties.create(project.id, { ...fields, description })
  open.add(bounty.id)
}

while (open.size > 0) {
  for await (const bounty of market.bounties.iterate({ project_id: project.id, status: 'in_review' }))
    await review(bounty.id)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
}
console.log('every bounty is done')

/** Approves good work, and rejects other work with a reason. */
async function review(bountyId: string): Promise<void> {
  const { bounty } = await market.bounties.get(bountyId)
  const submission = bounty.submissions.find(({ status }) => status === 'pending')
  if (!submission) return
  if (!(await isGood(submission.pr_url))) {
    await market.bounties.reject(bountyId, { review_notes: 'Please add a test that fails without the fix.' })
    return
  }
  const paid = await market.bounties.approveAndWait(bountyId, { review_notes: 'Thank you.' })
  open.delete(bountyId)
  console.log(`${bounty.title}: paid in ${paid.contributor_tx_hash}`)
}

/** The founder's own judgement goes here: read the pull request, run its tests. */
async function isGood(_pullRequest: string): Promise<boolean> {
  return true
}
