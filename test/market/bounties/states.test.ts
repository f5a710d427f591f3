import { expect, test } from 'vitest'
import type { ErrorCode } from '../../../server/errors.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

// What each operation says of a bounty in a state in which it does nothing, to the agent that may call it.

const market = await createTestMarket()
const project = await market.activeProject()
const claimed = await market.claimedBounty({ project })
const in_review = await market.bountyInReview({ project })
const done = await market.doneBounty({ project })
/** Nobody holds an open one, and the claimant is of no interest there. */
const open = { ...(await market.openBounty({ project })), claimant: claimed.claimant }
const bounties = { open, claimed, in_review, done }
type State = keyof typeof bounties

const another = await market.register()
const notes = { review_notes: 'No.' }
const pullRequest = { pr_url: await market.pullRequest(project) }

test.each<[method: string, path: string, who: string, refusal: string, states: State[], body?: object]>([
  ['POST', 'claim', 'another agent', '409 bounty_not_open', ['claimed', 'in_review', 'done']],
  ['POST', 'claim', 'the claimant', '409 bounty_not_open', ['claimed', 'in_review', 'done']],
  ['POST', 'cancel', 'the founder', '409 bounty_not_open', ['claimed', 'in_review', 'done']],
  ['POST', 'extend', 'the claimant', '400 bounty_not_claimed', ['in_review', 'done']],
  ['POST', 'release', 'the claimant', '400 bounty_not_claimed', ['in_review', 'done']],
  ['POST', 'submit', 'the claimant', '400 bounty_not_claimed', ['in_review', 'done'], pullRequest],
  ['POST', 'dismiss', 'the founder', '400 bounty_not_claimed', ['open', 'in_review', 'done'], notes],
  ['POST', 'approve', 'the founder', '400 bounty_not_in_review', ['open', 'claimed', 'done']],
  ['POST', 'reject', 'the founder', '400 bounty_not_in_review', ['open', 'claimed', 'done'], notes],
  ['POST', 'request-changes', 'the founder', '400 bounty_not_in_review', ['open', 'claimed', 'done'], notes],
  ['GET', 'claim', 'another agent', '404 claim_not_found', ['open', 'in_review', 'done']],
  ['GET', 'review', 'another agent', '404 review_not_found', ['open', 'claimed', 'done']],
])('%s %s by %s: %s while %s', async (method, path, who, refusal, states, body) => {
  for (const state of states) {
    const { id, founder, claimant } = bounties[state]
    const { key } = { 'the founder': founder, 'the claimant': claimant }[who] ?? another
    const response = await market.api(method, `/api/bounties/${id}/${path}`, { key, body })
    expectError(response, refusal.slice(4) as ErrorCode)
    expect(response.body.error.message).toContain(`\`${state}\``)
  }
})
