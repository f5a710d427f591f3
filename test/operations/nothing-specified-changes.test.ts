import { afterAll, expect, test } from 'vitest'
import { reviewsOn } from '../engines/payouts/support/reviews.ts'
import { expectError } from '../support/errors.ts'
import { createTestMarket } from '../support/market.ts'
import { someAddress } from '../support/values.ts'

/*
 * The specification knows four statuses of a bounty. The database here holds what it does not know: a cancelled bounty and
 * submissions that were sent back or retracted. Every specified operation answers as if they were not there.
 */
const market = await createTestMarket()
afterAll(market.close)
const { endings, cancel } = reviewsOn(market)

/** The operations of the specification, by the ids they have here. */
const specified = [
  ...['agents.register', 'agents.me', 'agents.setWallet', 'agents.generateWallet', 'projects.create'],
  ...['projects.list', 'projects.get', 'projects.activate', 'projects.approvalStatus', 'bounties.create'],
  ...[
    'bounties.list',
    'bounties.get',
    'bounties.claim',
    'bounties.submit',
    'bounties.approve',
    'bounties.reject',
  ],
  ...['activity.list', 'dashboard.stats', 'config.public'],
]

const specifiedStatuses = ['open', 'claimed', 'in_review', 'done']

/** Every status of a bounty in a response: a bounty has a reward, a claim and a step name their bounty. */
function bountyStatusesIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  const { status, reward_amount, bounty_id, pr_url } = body as Record<string, string | undefined>
  const own =
    status !== undefined && pr_url === undefined && (reward_amount ?? bounty_id) !== undefined ? [status] : []
  return [...own, ...Object.values(body).flatMap(bountyStatusesIn)]
}

test('specified operations show four statuses and no cancelled bounty', async () => {
  const project = await market.activeProject()
  const { founder } = project
  const cancelled = await market.openBounty({ project, reward_amount: 7 })
  const [sentBack, open] = [
    await market.bountyInReview({ project }),
    await market.bountyInReview({ project }),
  ]
  const done = await market.doneBounty({ project })
  const ended = [
    await cancel(cancelled),
    await endings.changes_requested(sentBack),
    await endings.retracted(open),
  ]
  expect(ended.map(({ status }) => status)).toEqual([200, 200, 200])

  const told = new Set<string>()
  async function tell(id: string, method: string, path: string, key?: string, body?: unknown) {
    const answer = await market.api(method, path, { key, body })
    expect({ id, path, status: answer.status }).toEqual({ id, path, status: expect.toBeOneOf([200, 201]) })
    for (const status of bountyStatusesIn(answer.body)) expect(specifiedStatuses).toContain(status)
    // The feed tells that the bounty was cancelled.
    if (id !== 'activity.list') expect(JSON.stringify(answer.body)).not.toContain(cancelled.id)
    told.add(id)
    return answer.body
  }

  const { agent } = await tell('agents.register', 'POST', '/api/agents/register', undefined, { name: 'Ada' })
  const { key } = { key: agent.api_key }
  const body = { name: 'P', description: 'D', token_symbol: 'SYM', token_supply: 1000 }
  const proposed = (await tell('projects.create', 'POST', '/api/projects', founder.key, body)).project
  await tell('projects.activate', 'POST', `/api/projects/${proposed.id}/activate`, founder.key)
  await tell('agents.setWallet', 'PATCH', '/api/agents/me/wallet', key, { wallet_address: someAddress })
  const walletless = (await market.registerWithoutWallet()).key
  await tell('agents.generateWallet', 'POST', '/api/agents/me/generate-wallet', walletless)
  const offered = { title: 'T', description: 'D', reward_amount: 1 }
  await tell('bounties.create', 'POST', `/api/projects/${project.id}/bounties`, founder.key, offered)
  const funding = await tell(
    'projects.approvalStatus',
    'GET',
    `/api/projects/${project.id}/approval-status`,
    founder.key,
  )
  expect(funding.committed).toBe('201')

  const bounty = `/api/bounties/${open.id}`
  const pr_url = await market.pullRequest(project)
  expect(await tell('bounties.claim', 'POST', `${bounty}/claim`, key)).toEqual({
    bounty: { id: open.id, status: 'claimed', claimed_by: agent.id },
  })
  await tell('bounties.submit', 'POST', `${bounty}/submit`, key, { pr_url })
  expect(
    await tell('bounties.reject', 'POST', `${bounty}/reject`, founder.key, { review_notes: 'No.' }),
  ).toEqual({ bounty_id: open.id, status: 'open' })
  await tell('bounties.submit', 'POST', `/api/bounties/${sentBack.id}/submit`, sentBack.claimant.key, {
    pr_url,
  })
  const approve = `/api/bounties/${sentBack.id}/approve`
  expect(await tell('bounties.approve', 'POST', approve, founder.key, {})).toMatchObject({ status: 'done' })

  for (const reader of [founder.key, key, open.claimant.key]) {
    await tell('agents.me', 'GET', '/api/agents/me', reader)
    await tell('projects.list', 'GET', '/api/projects', reader)
    await tell('projects.get', 'GET', `/api/projects/${project.id}`, reader)
    for (const { id } of [open, sentBack, done])
      await tell('bounties.get', 'GET', `/api/bounties/${id}`, reader)
    for (const filter of ['', ...specifiedStatuses.map((status) => `&status=${status}`), '&q=division'])
      await tell('bounties.list', 'GET', `/api/bounties?limit=100${filter}`, reader)
    await tell('activity.list', 'GET', '/api/activity', reader)
    const { stats } = await tell('dashboard.stats', 'GET', '/api/dashboard/stats', reader)
    expect(stats.bounties).toEqual({ open: 2, claimed: 0, in_review: 0, done: 2 })
    await tell('config.public', 'GET', '/api/config/public', reader)
  }
  expectError(await market.api('GET', '/api/bounties?status=cancelled'), 'validation_failed')
  expectError(await market.api('GET', `/api/bounties/${cancelled.id}`), 'bounty_cancelled')

  expect([...told].sort()).toEqual(specified.toSorted())
})
