import { afterAll, expect, test } from 'vitest'
import { Marketplace } from '../../../sdk/src/index.ts'
import { tools } from '../../../sdk/src/tools/index.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'

const service = await createTestMarket({ databaseLoops: true })
afterAll(service.close)

type Arguments = Record<string, unknown>
/** Makes a tool call in the message of one API, runs it, and returns the text or data that the model gets. */
type Turn = (name: string, args: Arguments) => Promise<string>

/** Agents whose models speak the four APIs, each with its own message formats. */
async function agentWith(speak: (kit: ReturnType<typeof tools>) => Turn) {
  const { key } = await service.register()
  const kit = tools(new Marketplace({ baseUrl: service.baseUrl, apiKey: key }))
  const turn = speak(kit)
  return async (name: string, args: Arguments = {}) => JSON.parse(await turn(name, args))
}

/** Strict mode: every argument is there, `null` for what the model leaves out. */
function withNulls(parameters: Arguments, args: Arguments): string {
  const nothing = Object.keys(parameters.properties as object).map((field) => [field, null])
  return JSON.stringify({ ...Object.fromEntries(nothing), ...args })
}

const openai = (kit: ReturnType<typeof tools>): Turn => {
  const defined = kit.openai()
  return async (name, args) => {
    const { parameters = {} } = defined.find((tool) => tool.function.name === name)?.function ?? {}
    const called = { name, arguments: withNulls(parameters, args) }
    const [message] = await kit.answer.openai({ tool_calls: [{ id: 'call_1', function: called }] })
    return message?.content ?? ''
  }
}

const responses = (kit: ReturnType<typeof tools>): Turn => {
  const defined = kit.responses()
  return async (name, args) => {
    const { parameters = {} } = defined.find((tool) => tool.name === name) ?? {}
    const item = { type: 'function_call', call_id: 'call_1', name, arguments: withNulls(parameters, args) }
    const [output] = await kit.answer.responses([item])
    return output?.output ?? ''
  }
}

const anthropic =
  (kit: ReturnType<typeof tools>): Turn =>
  async (name, input) => {
    const use = { type: 'tool_use', id: 'toolu_1', name, input }
    const [message] = await kit.answer.anthropic({ content: [use] })
    return message?.content[0]?.content ?? ''
  }

const gemini =
  (kit: ReturnType<typeof tools>): Turn =>
  async (name, args) => {
    const [content] = await kit.answer.gemini({ parts: [{ functionCall: { name, args } }] })
    const response = content?.parts[0]?.functionResponse.response
    return JSON.stringify(response?.output ?? response?.error)
  }

async function pullRequest(service: TestMarket, project_id: string): Promise<string> {
  const { body } = await service.api('GET', `/api/projects/${project_id}`)
  return service.pullRequest(body.project)
}

test('models of four APIs live both sides of a bounty through their own tool calls', async () => {
  const founder = await agentWith(openai)
  const contributor = await agentWith(anthropic)
  const reader = await agentWith(gemini)

  const { project } = await founder('create_project', {
    ...{ name: 'Parser', description: 'A date parser', token_symbol: 'PRS', token_supply: 1_000_000 },
    idempotency_key: 'create-parser',
  })
  const offer = { project_id: project.id, title: 'ISO weeks', description: 'All of it.', reward_amount: 500 }
  const { bounty } = await founder('create_bounty', { ...offer, idempotency_key: 'weeks' })
  const again = await founder('create_bounty', { ...offer, idempotency_key: 'weeks' })
  expect(again.bounty.id).toBe(bounty.id)

  const found = await reader('find_bounties', { project_id: project.id })
  expect(found.bounties.map(({ id }: { id: string }) => id)).toEqual([bounty.id])
  const bounty_id = bounty.id
  expect((await contributor('preflight', { bounty_id })).preflight).toMatchObject({ can_claim: true })
  expect((await contributor('claim', { bounty_id })).bounty.status).toBe('claimed')
  expect((await reader('claim', { bounty_id })).error.code).toBe('bounty_not_open')
  const pr_url = await pullRequest(service, project.id)
  const { submission } = await contributor('submit', { bounty_id, pr_url })

  const { submissions } = await founder('review_queue', { project_id: project.id })
  expect(submissions.map(({ id }: { id: string }) => id)).toEqual([submission.id])
  const { pull_request } = await founder('pull_request', { submission_id: submission.id })
  const read = { submission_id: submission.id, expected_head_sha: pull_request.head_sha }
  expect(await founder('approve', { bounty_id, ...read })).toMatchObject({
    status: 'done',
  })
  expect((await contributor('get_submission', { submission_id: submission.id })).submission.status).toBe(
    'approved',
  )
})

test('the Responses API, and a program that calls by itself', async () => {
  const agent = await agentWith(responses)
  const { events, cursor } = await agent('wait_for_events', { wait: 0 })
  expect(events).toEqual([])
  expect(cursor).toMatch(/^(0|act_\w+)$/)
  expect((await agent('get_bounty', { bounty_id: 'bnt_none' })).error.code).toBe('bounty_not_found')

  const { key } = await service.register()
  const kit = tools(new Marketplace({ baseUrl: service.baseUrl, apiKey: key }))
  const { data, requestId } = await kit.call('balances', {})
  expect(data).toMatchObject({ balances: [] })
  expect(requestId).toMatch(/^req_/)
  const create = { project_id: 'proj_none', title: 'A', description: 'B', reward_amount: 1 }
  await expect(kit.call('create_bounty', create)).rejects.toMatchObject({
    name: 'ToolError',
    code: 'project_not_found',
  })
  await expect(kit.call('claim', { bounty_id: '' })).rejects.toMatchObject({
    code: 'validation_failed',
    issues: [{ path: 'bounty_id' }],
  })
})
