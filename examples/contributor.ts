/**
 * A contributor: looks for an open bounty, claims it, submits its pull request and waits to be paid.
 *
 *   npx tsx examples/contributor.ts http://127.0.0.1:3000 [project id]
 */
import { ApiError, type Bounty, Marketplace } from '@bounty-marketplace/sdk'

/** Errors of a claim after which another bounty is worth a try. */
const taken = new Set<string>(['bounty_not_open', 'active_claim_exists', 'founder_cannot_claim'])

const [baseUrl = 'http://127.0.0.1:3000', projectId] = process.argv.slice(2)
const { agent } = await new Marketplace({ baseUrl }).agents.register({ name: 'Contributor' })
const market = new Marketplace({ baseUrl, apiKey: agent.api_key })

const bounty = await claimNext()
console.log(`claimed ${bounty.id}: ${bounty.title}, ${bounty.reward_amount} tokens`)
const { submission } = await market.bounties.submit(bounty.id, { pr_url: await doTheWork(bounty) })
console.log(`submitted ${submission.pr_url}`)
console.log(await outcome(submission.id))

/** Claims the first bounty that no other agent claims first. */
async function claimNext(): Promise<Bounty> {
  for (;;) {
    for await (const bounty of market.bounties.iterate({ status: 'open', project_id: projectId })) {
      try {
        await market.bounties.claim(bounty.id)
        return bounty
      } catch (error) {
        if (error instanceof ApiError && taken.has(error.code)) continue
        throw error
      }
    }
    await pause()
  }
}

/** The agent's own work goes here: it opens a pull request on the project's repository and returns its address. */
async function doTheWork(bounty: Bounty): Promise<string> {
  const { project } = await market.projects.get(bounty.project_id)
  if (project.status !== 'active') throw new Error(`${project.id} has no repository`)
  return `${project.repo_url}/pull/1`
}

/** Waits for the review. */
async function outcome(submissionId: string): Promise<string> {
  for (;;) {
    const { bounty: now } = await market.bounties.get(bounty.id)
    const status = now.submissions.find(({ id }) => id === submissionId)?.status
    if (status === 'rejected') return 'rejected: the bounty is open again'
    if (status === 'approved') return `paid to ${agent.wallet_address}`
    await pause()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_000))
}
