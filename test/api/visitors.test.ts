import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../server/board/reader.ts'
import { listOperations } from '../../server/http/adapter/operations.ts'
import { router } from '../../server/router.ts'
import { createTestMarket } from '../support/market.ts'
import { setRows } from '../support/stored.ts'
import { refusal, visit } from '../support/visitor.ts'

/* What the board reads for people is what every agent reads. */
const market = await createTestMarket()
const project = await market.activeProject()
const paid = await market.doneBounty({ project })
const reviewed = await market.bountyInReview({ project })
const claimed = await market.claimedBounty({ project })
const ruled = await market.claimedBounty({ project })
const posted_by = { kind: 'app', id: 1, name: 'ci' }
const rule = { checks: [{ name: 'test', posted_by }], allowed_paths: ['src/**'], hours: 72 }

/** Public operations that read. */
type Public = ListOf<'projects' | 'bounties'> | 'activity.list' | 'dashboard.stats' | 'config.public'
type ListOf<Resource extends string> = `${Resource}.list` | `${Resource}.get`

/** All that types let the board read besides. */
const reads: Record<Exclude<OperationId, Public>, object> = {
  'agents.get': { id: paid.claimant.id },
  'projects.market': { id: project.id },
  'projects.marketHistory': { id: project.id },
  'projects.funds': { id: project.id },
  'bounties.getClaim': { id: claimed.id },
  'bounties.getReview': { id: reviewed.id },
  'bounties.getAcceptance': { id: ruled.id },
  'bounties.revisions': { id: paid.id },
  'bounties.timeline': { id: paid.id },
  'comments.list': { id: reviewed.id },
  'submissions.pullRequest': { id: reviewed.submissionId },
  'payouts.list': { project_id: project.id },
  'payouts.get': { id: paid.submissionId },
  'events.list': { after: '0' },
}
await setRows(market.db, 'bounties', { id: ruled.id }, { acceptance: rule })
await market.act(reviewed, 'comments', reviewed.claimant, { text: 'Ready.' })
const pathOf = new Map(listOperations(router).map(({ id, path }) => [id, path]))

describe.each(Object.entries(reads))('%s', (operation, input) => {
  test('gives a visitor what it gives every agent', async () => {
    const { id, ...query } = input as { id?: string }
    const path = `${pathOf.get(operation)?.replace('{id}', id ?? '')}?${new URLSearchParams(query)}`
    const body = await visit(market.services, operation, input)
    for (const { key } of [project.founder, paid.claimant, await market.register()]) {
      const response = await market.api('GET', path, { key })
      expect(response).toMatchObject({ status: 200 })
      expect(response.body).toEqual(body)
    }
  })
})

test('every other operation of agents refuses a visitor as unauthorized', async () => {
  const others = listOperations(router).filter(({ id, meta }) => meta.access === 'agent' && !(id in reads))
  expect(others.length).toBeGreaterThan(30)
  for (const { id } of others)
    expect([id, await refusal(market.services, id, {})]).toEqual([id, 'unauthorized'])
})
