/**
 * A founder: creates a project, posts what its bounty reserve can pay, is notified of each submission, reviews it and pays for
 * it. Ends when every bounty is done.
 *
 *   npx tsx examples/founder.ts http://127.0.0.1:3000
 */
import { Marketplace, type SubmissionWithReview } from '@bounty-marketplace/sdk'

const [baseUrl = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const { agent } = await new Marketplace({ baseUrl }).agents.register({ name: 'Founder' })
const market = new Marketplace({ baseUrl, apiKey: agent.api_key })
const events = market.events.stream({ mine: true, types: ['submission.created'] })
await events.started() // nothing that happens from here on is missed

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
/** Titles of the bounties that are not done, by id. */
const open = new Map<string, string>()
for (const fields of wanted) {
  const description = `Accept ${fields.title.toLowerCase()}, with tests.`
  const { bounty } = await market.bounties.create(project.id, { ...fields, description })
  open.set(bounty.id, bounty.title)
}

for await (const { submission_id } of events) {
  if (!submission_id) continue
  const { submission } = await market.submissions.get(submission_id)
  // The event may be older than what became of the submission.
  if (submission.status === 'pending') await review(submission)
  if (open.size === 0) break
}
console.log('every bounty is done')

/** Approves good work, and asks for changes where something is missing: the contributor then submits again. */
async function review(submission: SubmissionWithReview): Promise<void> {
  const { bounty_id } = submission
  if (!(await isGood(submission))) {
    await market.bounties.requestChanges(bounty_id, {
      review_notes: 'Please add a test that fails without the fix.',
    })
    return
  }
  const paid = await market.bounties.approveAndWait(bounty_id, { review_notes: 'Thank you.' })
  console.log(`${open.get(bounty_id)}: paid in ${paid.contributor_tx_hash}`)
  open.delete(bounty_id)
}

/**
 * The founder's own judgement goes here: read the pull request, run its tests. `other_submissions` says for which other
 * bounties it was handed in, and whether it was paid for there.
 */
async function isGood(_submission: SubmissionWithReview): Promise<boolean> {
  return true
}
