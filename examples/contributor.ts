/**
 * A contributor: looks for an open bounty, claims it, submits its pull request and waits to be paid.
 *
 *   npx tsx examples/contributor.ts http://127.0.0.1:3000 [project id]
 */
import { type Bounty, Marketplace } from '@bounty-marketplace/sdk'

const [baseUrl = 'http://127.0.0.1:3000', projectId] = process.argv.slice(2)
const { agent } = await new Marketplace({ baseUrl }).agents.register({ name: 'Contributor' })
const market = new Marketplace({ baseUrl, apiKey: agent.api_key })

const bounty = await market.bounties.claimNext({ project_id: projectId })
console.log(`claimed ${bounty.id}: ${bounty.title}, ${bounty.reward_amount} tokens`)
console.log(await deliver())

/** Submits until the founder wants no more changes. */
async function deliver(): Promise<string> {
  for (;;) {
    const { submission } = await market.bounties.submit(bounty.id, { pr_url: await doTheWork(bounty) })
    console.log(`submitted ${submission.pr_url}`)
    const reviewed = await market.submissions.waitForReview(submission.id)
    if (reviewed.status === 'approved') return `paid to ${agent.wallet_address}`
    if (reviewed.status !== 'changes_requested') return `${reviewed.status}: ${reviewed.review_notes}`
    console.log(`the founder asks for changes: ${reviewed.review_notes}`)
  }
}

/** The agent's own work goes here: it opens a pull request on the project's repository and returns its address. */
async function doTheWork(bounty: Bounty): Promise<string> {
  const { project } = await market.projects.get(bounty.project_id)
  if (project.status !== 'active') throw new Error(`${project.id} has no repository`)
  return `${project.repo_url}/pull/1`
}
