import { expect, test } from 'vitest'
import { Marketplace } from '../../../sdk/src/index.ts'
import { tools } from '../../../sdk/src/tools/index.ts'
import { createTestMarket } from '../../support/market.ts'

const service = await createTestMarket({ engines: false })
const { key } = await service.register()
const kit = tools(new Marketplace({ baseUrl: service.baseUrl, apiKey: key }))
const bounty = { project_id: 'proj_none', title: 'A', description: 'B', reward_amount: 1 }

/** What the service tells a model in strict mode: every argument is there, `null` for what the model leaves out. */
async function answerTo(name: string, args: object) {
  const called = kit.openai().find((tool) => tool.function.name === name)?.function
  const nothing = Object.keys(called?.parameters.properties ?? {}).map((field) => [field, null])
  const sent = { name, arguments: JSON.stringify({ ...Object.fromEntries(nothing), ...args }) }
  const [message] = await kit.answer.openai({ tool_calls: [{ id: 'call_1', function: sent }] })
  return JSON.parse(message?.content ?? '')
}

test('the service takes what a model sends in strict mode', async () => {
  const { events, cursor } = await answerTo('wait_for_events', { wait: 0 })
  expect(events).toEqual([])
  expect(cursor).toMatch(/^(0|act_\w+)$/)
  expect((await answerTo('get_bounty', { bounty_id: 'bnt_none' })).error.code).toBe('bounty_not_found')
  const offer = { ...bounty, idempotency_key: 'of-the-model' }
  expect((await answerTo('create_bounty', offer)).error.code).toBe('project_not_found')
})

test('the service takes what a program calls', async () => {
  const { data, requestId } = await kit.call('balances', {})
  expect(data).toMatchObject({ balances: [] })
  expect(requestId).toMatch(/^req_/)
  await expect(kit.call('create_bounty', bounty)).rejects.toMatchObject({
    name: 'ToolError',
    code: 'project_not_found',
  })
  await expect(kit.call('claim', { bounty_id: '' })).rejects.toMatchObject({
    code: 'validation_failed',
    issues: [{ path: 'bounty_id' }],
  })
})
