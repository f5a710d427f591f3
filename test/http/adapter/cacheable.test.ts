import { expect, test } from 'vitest'
import { listOperations } from '../../../server/http/adapter/operations.ts'
import { router } from '../../../server/router.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
const cacheable = listOperations(router).filter(({ meta }) => meta.cacheable)

/** A market with bounties in each status, and a submission that was rejected before another one. */
async function lives() {
  const rejected = await market.bountyInReview()
  const notes = { review_notes: 'Say "why" \u2028 \\ and how.' }
  expect((await market.act(rejected, 'reject', rejected.founder, notes)).status).toBe(200)
  expect((await market.act(rejected, 'claim', rejected.claimant)).status).toBe(200)
  const done = await market.doneBounty()
  await market.openBounty()
  await market.proposedProject()
  return { bounties: [rejected.id, done.id], projects: [done.project.id] }
}

test('what is sent without validation is what the schema of its operation makes of it', async () => {
  const { bounties, projects } = await lives()
  const ids: Record<string, string[]> = { bounties, projects }
  const sent = cacheable.flatMap((operation) => {
    const [resource = ''] = operation.id.split('.')
    const paths = operation.path.includes('{id}')
      ? (ids[resource] ?? []).map((id) => operation.path.replace('{id}', id))
      : [operation.path]
    return paths.map((path) => ({ operation, path }))
  })
  expect(sent).toHaveLength(cacheable.length + 1)
  for (const { operation, path } of sent) {
    const text = await (await fetch(market.baseUrl + path)).text()
    expect(operation.render(JSON.parse(text)), path).toBe(text)
    expect(text.length, path).toBeGreaterThan(100)
  }
})
