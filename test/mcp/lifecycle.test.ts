/** @module-tag git */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { git } from '../embedded/github/git-client.ts'
import { directoryForFile } from '../embedded/support.ts'
import { createTestMarket, type TestMarket } from '../support/market.ts'
import { connect } from './client.ts'

let market: TestMarket
let folder: string
beforeAll(async () => {
  market = await createTestMarket({ git: true, databaseLoops: true, followMs: 50 })
  folder = await directoryForFile()
})

type Agent = Awaited<ReturnType<typeof connect>>
interface Step {
  tool?: string
  arguments?: object
  missing?: string[]
}
interface Task {
  call: Step
  choices: Step[]
}
/** Makes the call of the first task that waits for an agent, with what only the agent knows. */
async function follow(agent: Agent, tool: string, more: object = {}) {
  const { tasks } = await agent.use('next_actions')
  return { tasks, ...(await choose(agent, tasks, tool, more)) }
}
/** Makes the call of the first of these tasks, or one of its choices. */
async function choose(agent: Agent, tasks: Task[], tool: string, more: object = {}) {
  const [first] = tasks
  const steps = first ? [first.call, ...first.choices] : []
  const step = steps.find((candidate) => candidate.tool === tool)
  expect(step, `${tool} among ${JSON.stringify(tasks)}`).toBeDefined()
  expect(Object.keys(more), `what ${tool} misses`).toEqual(step?.missing ?? [])
  return agent.use(tool, { ...(await idsFor(agent, tool, first)), ...step?.arguments, ...more })
}
/** The ids of a task that a tool takes. */
async function idsFor(agent: Agent, tool: string, task: Task | undefined) {
  const { tools } = await agent.client.listTools()
  const { properties = {} } = tools.find(({ name }) => name === tool)!.inputSchema
  const ids = Object.entries(task ?? {}).filter(([name]) => name.endsWith('_id') && name in properties)
  return Object.fromEntries(ids)
}
/** The bytes of all results that an agent has got. */
const bytesReceived = ({ received }: Agent) =>
  received.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0)
async function run(token: string | undefined, ...args: string[]): Promise<string> {
  const { code, output } = await git(folder, args, token)
  expect(code, output).toBe(0)
  return output.trim()
}
const found = (texts: string[], pattern: RegExp): string => {
  for (const text of texts) {
    const value = pattern.exec(text)?.[1]
    if (value) return value
  }
  throw new Error(`${pattern} in ${texts.join('\n')}`)
}

test('two agents with nothing but tools and git: from the project to payment and merge', async () => {
  const boss = await market.register({ name: 'Ada' })
  const worker = await market.register({ name: 'Grace' })
  const founder = await connect(market.baseUrl, boss.key)
  const contributor = await connect(market.baseUrl, worker.key)

  const { project } = await founder.use('create_project', {
    name: 'Parser',
    description: 'A date parser',
    token_symbol: 'PRS',
    token_supply: 1_000_000,
    idempotency_key: randomUUID(),
  })
  const offered = { title: 'ISO weeks', description: 'Accept 2026-W05-3.', reward_amount: 500 }
  await founder.use('create_bounty', { project_id: project.id, ...offered, idempotency_key: randomUUID() })
  const { cursor } = await founder.use('wait_for_events', { wait: 0 })

  // The contributor finds, reads, checks and claims it.
  const { bounties } = await contributor.use('find_bounties', { q: 'iso weeks' })
  const bounty_id = bounties[0].id
  expect((await contributor.use('get_bounty', { bounty_id })).bounty.description).toContain(
    'Accept 2026-W05-3.',
  )
  const { preflight } = await contributor.use('preflight', { bounty_id })
  expect(preflight).toMatchObject({ can_claim: true, payable: true })
  await contributor.use('claim', { bounty_id })

  // It delivers by the words of preflight alone.
  const { needs } = preflight
  const repository = found([preflight.repo_url], /⟧(\S+)⟦/)
  const asked = await fetch(found(needs, /WORK_TOKEN" (\S+)`/), {
    method: 'POST',
    headers: { authorization: `Bearer ${worker.key}` },
  })
  const { token } = (await asked.json()) as { token: string }
  const branch = found(needs, /branch `([^`]+)`/)
  await run(undefined, 'clone', '-q', repository, '.')
  await run(undefined, 'switch', '-q', '-c', branch)
  const push = async (text: string) => {
    await writeFile(join(folder, 'weeks.md'), text)
    await run(undefined, 'add', '.')
    await run(undefined, 'commit', '-q', '-m', text)
    await run(token, 'push', '-q', 'origin', 'HEAD')
  }
  await push('Weeks')
  const opened = await fetch(
    `${found(needs, /below (http\S+) \(/)}/repos${new URL(repository).pathname}/pulls`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'ISO weeks', head: branch, base: 'main' }),
    },
  )
  const { html_url: pr_url } = (await opened.json()) as { html_url: string }
  await follow(contributor, 'submit', { pr_url })

  // The founder hears of it, looks, and asks for changes.
  expect((await founder.use('wait_for_events', { cursor, types: 'submission.created' })).events).toHaveLength(
    1,
  )
  const { pull_request: first, tasks: toReview } = await follow(founder, 'pull_request')
  expect(first).toMatchObject({ names_claimant: true, state: 'open' })
  await choose(founder, toReview, 'return_submission', { review_notes: 'Tests, please.' })

  // The contributor reads why, pushes, and submits again.
  const { submission, tasks: toRevise } = await follow(contributor, 'get_submission')
  expect(submission.review_notes).toContain('Tests, please.')
  await push('Weeks with tests')
  await choose(contributor, toRevise, 'submit')

  // The founder reads the diff of exactly the commit it pays and merges.
  const { pull_request, tasks } = await follow(founder, 'pull_request')
  await run(undefined, 'fetch', '-q', 'origin')
  expect(await run(undefined, 'diff', `origin/main...${pull_request.head_sha}`)).toContain(
    '+Weeks with tests',
  )
  const head = { expected_head_sha: pull_request.head_sha }
  await choose(founder, tasks, 'approve', head)
  expect(await follow(founder, 'merge')).toMatchObject({ merged: true })
  await run(undefined, 'fetch', '-q', 'origin')
  expect(await run(undefined, 'show', 'origin/main:weeks.md')).toBe('Weeks with tests')

  expect(await contributor.use('balances')).toMatchObject({
    balances: [{ project_id: project.id, balance: '475' }],
    next_step: expect.stringContaining('POST /api/agents/me/withdrawals'),
  })
  for (const agent of [founder, contributor]) expect((await agent.use('next_actions')).tasks).toEqual([])
  expect(bytesReceived(contributor)).toBeLessThanOrEqual(8000)
  expect(bytesReceived(founder)).toBeLessThanOrEqual(7000)
})
