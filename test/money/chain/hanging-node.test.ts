import { expect, onTestFinished, test } from 'vitest'
import { requestPatienceMs } from '../../../server/money/chain/chain.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { startOwnChain } from '../../support/own-chain.ts'
import { until } from '../../support/until.ts'

const node = await startOwnChain()

/** Many times what a response may take, and far less than the requests below take if each of them waits for the node. */
const boundMs = 45_000

/** Stops the node, which still accepts connections then. */
function stopNode() {
  process.kill(node.pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(node.pid, 'SIGCONT'))
}

test('while the node hangs, requests that need it are refused soon, behind one address or two; then all goes on', async () => {
  const markets = await Promise.all(
    [1, 2].map((nodeAddresses) =>
      createTestMarket({
        rpcUrl: node.rpcUrl,
        nodeAddresses,
        codeHostMs: 60_000,
        chainPatienceMs: requestPatienceMs,
      }),
    ),
  )
  const bounties = await Promise.all(markets.map((market) => market.bountyInReview()))
  const requests = bounties.map(({ id, founder: { key }, project }, index) => {
    const { api } = markets[index] as TestMarket
    const path = `/api/projects/${project.id}`
    const bounty = { title: 'Add division', description: 'Without remainder.', reward_amount: 5 }
    return [
      () => api('GET', `${path}/approval-status`, { key }),
      () => api('GET', `${path}/market`, { key }),
      () => api('GET', `${path}/funds`, { key }),
      () => api('GET', '/api/agents/me/balances', { key }),
      () => api('POST', `${path}/bounties`, { key, body: bounty }),
      () => api('POST', `/api/bounties/${id}/approve`, { key, body: {} }),
    ]
  })

  stopNode()
  const stoppedAt = performance.now()
  await Promise.all(
    requests.map(async (sends) => {
      // One after the other, and twice: each would wait for its own time-out if the first one did not count for all.
      for (const send of [...sends, ...sends]) expectError(await send(), 'chain_unreachable')
    }),
  )
  expect(performance.now() - stoppedAt).toBeLessThan(boundMs)

  process.kill(node.pid, 'SIGCONT')
  const statuses = await Promise.all(
    requests.map(async (sends) => {
      await until(async () => (await sends[0]?.())?.status === 200)
      const seen: number[] = []
      for (const send of sends) seen.push((await send()).status)
      return seen
    }),
  )
  expect(statuses).toEqual(Array(2).fill([200, 200, 200, 200, 201, 200]))
  for (const { chain } of markets) expect(await chain.payments()).toHaveLength(1)
})
