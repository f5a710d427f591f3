import { expect, onTestFinished, test } from 'vitest'
import { createTestMarket } from '../support/market.ts'
import { startOwnChain } from '../support/own-chain.ts'

const node = await startOwnChain()
const market = await createTestMarket({ rpcUrl: node.rpcUrl })
const project = await market.activeProject()
const bounty = await market.openBounty({ project })
const twin = async (path: string) => (await fetch(market.baseUrl + path)).text()

test('a node that does not respond in time is no stop: pages say what they do not know now, and not that payouts are stopped', async () => {
  expect(await twin('/index.md')).toContain('[paying](/how.md)')
  expect(await twin('/how.md')).toContain('- Payments: on\n')
  process.kill(node.pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(node.pid, 'SIGCONT'))
  // What was read seconds ago counts as now.
  market.services.recent.isPaused = async () => market.services.chain.require().isPaused()
  market.services.recent.funds = async (chain, token, wallet) => ({
    ...(await chain.funds(token, wallet)),
    readAt: new Date(),
  })
  const pages = await Promise.all(
    ['/index.md', '/how.md', `/bounties/${bounty.id}.md`, `/projects/${project.id}.md`, '/projects.md'].map(
      twin,
    ),
  )
  for (const page of pages) expect.soft(page).not.toMatch(/stopped/)
  const [board, how, ofBounty, ofProject, projects] = pages
  expect(board).toContain('[whether it pays now is not known](/how.md)')
  const unknown = 'Not known now: the chain does not respond in time.'
  expect(how).toContain(`- Payments: ${unknown}`)
  expect(ofBounty).toContain(`- Can be paid: ${unknown}`)
  expect(ofProject).toContain(unknown)
  expect(projects).toContain('whether it can be paid is not known now')
})
