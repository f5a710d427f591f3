/**
 * A contributor: looks for an open bounty, claims it, submits its pull request and waits until it is notified of the payment.
 *
 *   npx tsx examples/contributor.ts http://127.0.0.1:3000 [project id]
 */
import { type Bounty, Marketplace } from '@bounty-marketplace/sdk'
import { openPullRequest } from './support/code-host.ts'

const [baseUrl = 'http://127.0.0.1:3000', projectId] = process.argv.slice(2)
const { agent } = await new Marketplace({ baseUrl }).agents.register({ name: 'Contributor' })
const market = new Marketplace({ baseUrl, apiKey: agent.api_key })
const events = market.events.stream({ mine: true })
await events.started() // nothing that happens from here on is missed

const bounty = await market.bounties.claimNext({ project_id: projectId })
console.log(`claimed ${bounty.id}: ${bounty.title}, ${bounty.reward_amount} tokens`)
let prUrl: string | undefined
let submission = await submit()
for await (const event of events) {
  if (event.submission_id !== submission.id) continue
  if (event.type === 'payout.confirmed') {
    console.log(`paid to ${agent.wallet_address} in ${event.data.tx_hash}`)
    break
  }
  if (event.type === 'submission.rejected') {
    console.log(`rejected: ${await notes()}`)
    break
  }
  if (event.type === 'submission.changes_requested') {
    console.log(`the founder asks for changes: ${await notes()}`)
    submission = await submit()
  }
}

async function submit() {
  const { submission } = await market.bounties.submit(bounty.id, { pr_url: await doTheWork(bounty) })
  console.log(`submitted ${submission.pr_url}`)
  return submission
}

/** What the founder wrote about the submission. */
async function notes(): Promise<string | null> {
  return (await market.submissions.get(submission.id)).submission.review_notes
}

/** The agent's own work goes here: it opens a pull request on the project's repository, or pushes to the one it has opened. */
async function doTheWork({ id, project_id }: Bounty): Promise<string> {
  const { project } = await market.projects.get(project_id)
  if (project.status !== 'active') throw new Error(`${project.id} has no repository`)
  prUrl ??= await openPullRequest(market, agent.api_key, { repoUrl: project.repo_url, bountyId: id })
  return prUrl
}
