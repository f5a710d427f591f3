import { expect, test } from 'vitest'
import { Marketplace, TimeoutError } from '../../sdk/src/index.ts'
import { createTestMarket } from '../support/market.ts'

const market = await createTestMarket()
const project = await market.activeProject()
const client = ({ key: apiKey }: { key: string }) => new Marketplace({ baseUrl: market.baseUrl, apiKey })
const founder = client(project.founder)

/** An agent, and a function that resolves when its client has made a call of `operation`. */
async function watched(operation: string) {
  const { key } = await market.register()
  let seen = () => {}
  const asked = new Promise<void>((resolve) => {
    seen = resolve
  })
  const onResponse = (info: { operation: string }) => void (info.operation === operation && seen())
  return { asked, agent: new Marketplace({ baseUrl: market.baseUrl, apiKey: key, onResponse }) }
}

test('claimNext waits for a bounty, and passes over those that others have or that are not wanted', async () => {
  const own = await market.activeProject()
  await market.claimedBounty({ project: own })
  const dull = await market.openBounty({ project: own })
  const { asked, agent } = await watched('bounties.list')
  const claimed = agent.bounties.claimNext({ project_id: own.id, isWanted: ({ id }) => id !== dull.id })
  await asked
  const wanted = await market.openBounty({ project: own })
  expect((await claimed).id).toBe(wanted.id)
  const { agent: me } = await agent.agents.me()
  expect(me.active_claims.map(({ bounty_id }) => bounty_id)).toEqual([wanted.id])
})

test('claimNext returns the bounty that is held in the project, as after a restart, and waits while its work is in review', async () => {
  const own = await market.activeProject()
  const held = await market.claimedBounty({ project: own })
  for (let count = 0; count < 3; count++) await market.openBounty({ project: own })
  const agent = client(held.claimant)
  const sent: string[] = []
  const onResponse = (info: { operation: string }) => void sent.push(info.operation)
  expect((await agent.bounties.claimNext({ project_id: own.id }, { onResponse })).id).toBe(held.id)
  expect(sent).toEqual(['agents.me', 'bounties.get'])

  const submitted = await market.bountyInReview({ project: own })
  const waiting = client(submitted.claimant).bounties.claimNext(
    { project_id: own.id },
    { waitMs: 100, onResponse },
  )
  await expect(waiting).rejects.toThrow(new TimeoutError('nothing came within 100 ms'))
  expect(sent.slice(2)).toEqual(['agents.me', 'projects.get', 'bounties.list', 'bounties.claim'])
})

test('claimNext rejects with founder_cannot_claim where the project is its own, in place of waiting without end', async () => {
  const own = await market.activeProject()
  const claimed = client(own.founder).bounties.claimNext({ project_id: own.id })
  await expect(claimed).rejects.toMatchObject({ code: 'founder_cannot_claim' })
})

test('claimNext rejects with project_not_found in place of waiting for a project that there is not', async () => {
  const claimed = founder.bounties.claimNext({ project_id: 'proj_00000000000000000000' })
  await expect(claimed).rejects.toMatchObject({ code: 'project_not_found' })
})

test('claimNext rejects with the reason of its signal', async () => {
  const { asked, agent } = await watched('bounties.list')
  const giveUp = new AbortController()
  const waiting = agent.bounties.claimNext(
    { project_id: project.id, isWanted: () => false },
    { signal: giveUp.signal },
  )
  await asked
  giveUp.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

test('waitForReview resolves with the notes of the founder', async () => {
  const bounty = await market.bountyInReview({ project })
  const reviewed = client(bounty.claimant).submissions.waitForReview(bounty.submissionId)
  await founder.bounties.requestChanges(bounty.id, { review_notes: 'Add a test.' })
  expect(await reviewed).toMatchObject({
    id: bounty.submissionId,
    status: 'changes_requested',
    review_notes: 'Add a test.',
  })
})

test('waitForReview resolves with the submission as it is when its time is over', async () => {
  const bounty = await market.bountyInReview({ project })
  const read = await client(bounty.claimant).submissions.waitForReview(bounty.submissionId, { waitMs: 1 })
  expect(read).toMatchObject({ id: bounty.submissionId, status: 'pending' })
})

test('nextSubmission gives the submission that waits longest, also if it comes later', async () => {
  const own = await market.activeProject()
  const next = client(own.founder).projects.nextSubmission(own.id)
  const first = await market.bountyInReview({ project: own })
  await market.bountyInReview({ project: own })
  expect((await next).id).toBe(first.submissionId)
})
