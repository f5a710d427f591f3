import { describe, expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'

// What a refused review says about what was submitted before: of the bounty, whichever submission was named.

const market = await createTestMarket()
const project = await market.activeProject()
const { founder } = project
const elsewhere = await market.bountyInReview({ project })

type Submitted = { id: string; submissionId?: string }

/** A bounty in each state, what was submitted to it last, and what is said of that. */
const states: Record<string, () => Promise<[Submitted, RegExp]>> = {
  'never submitted to': async () => [
    await market.openBounty({ project }),
    /: (?:.*; )?nothing was submitted to it yet\.$/,
  ],
  'rejected once': async () => {
    const bounty = await market.bountyInReview({ project })
    await market.act(bounty, 'reject', founder, { review_notes: 'n' })
    return [bounty, new RegExp(`submission ${bounty.submissionId} was rejected at`)]
  },
  'sent back once': async () => {
    const bounty = await market.bountyInReview({ project })
    await market.act(bounty, 'request-changes', founder, { review_notes: 'n' })
    return [bounty, new RegExp(`submission ${bounty.submissionId} was sent back for changes at`)]
  },
  'in review': async () => {
    const bounty = await market.bountyInReview({ project })
    return [bounty, new RegExp(`^Submission ${bounty.submissionId} is in review now, not`)]
  },
  paid: async () => {
    const bounty = await market.doneBounty({ project })
    return [bounty, new RegExp(`submission ${bounty.submissionId} was approved and paid by transaction 0x`)]
  },
}

describe.each(Object.keys(states))('of a bounty %s', (state) => {
  test('the truth, whether the submission named is its own, of another bounty, of no bounty or the id of something else', async () => {
    const [bounty, truth] = await (states[state] as (typeof states)[string])()
    const own = bounty.submissionId
    const wrong = [elsewhere.submissionId, 'sub_00000000000000000000', bounty.id, project.id]
    for (const submission_id of [...wrong, ...(own && state !== 'in review' ? [own] : [])])
      for (const action of ['approve', 'reject', 'request-changes'] as const) {
        const body = { submission_id, ...(action !== 'approve' && { review_notes: 'n' }) }
        const { status, body: said } = await market.act(bounty, action, founder, body)
        const { message } = said.error
        expect(status).toBeGreaterThanOrEqual(400)
        expect(message, `${action} ${submission_id}`).toMatch(truth)
        const isDisowned = /is not of this bounty|is in review now, not/.test(message)
        expect(isDisowned, message).toBe(submission_id !== own)
      }
  })
})
