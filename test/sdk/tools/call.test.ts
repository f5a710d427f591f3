import { describe, expect, test } from 'vitest'
import { AuthenticationError, ConnectionError, Marketplace } from '../../../sdk/src/index.ts'
import { ToolError, tools } from '../../../sdk/src/tools/index.ts'
import { failure, hangUp, json, type Step, startScriptedServer } from '../support/scripted-server.ts'

const server = await startScriptedServer()
const market = new Marketplace({ baseUrl: server.url, apiKey: 'bmk_own', maxRetries: 0 })

function result(data: object, isError?: true): Step {
  const content = [{ type: 'text', text: JSON.stringify(data) }]
  return json(200, {
    jsonrpc: '2.0',
    id: 1,
    result: { content, ...(isError && { isError }) },
  })
}

const claimed = { bounty: { id: 'bnt_1' }, next_step: 'Do the work.' }
const notOpen = {
  error: { code: 'bounty_not_open', message: 'It is not open.', retryable: false },
  next_step: 'Call find_bounties.',
}
/** Name and arguments of each call that came. */
const calls = () =>
  server.received.map(({ body }) => {
    const { name, arguments: args } = (body as { params: { name: string; arguments: object } }).params
    return [name, args]
  })

describe('call', () => {
  test('sends a tools/call of the present protocol with the key of the client', async () => {
    server.script(result(claimed))
    await tools(market).call('claim', { bounty_id: 'bnt_1' })
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      path: '/mcp',
      headers: {
        authorization: 'Bearer bmk_own',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'claim',
      },
      body: {
        jsonrpc: '2.0',
        method: 'tools/call',
        params: {
          name: 'claim',
          arguments: { bounty_id: 'bnt_1' },
          _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
        },
      },
    })
  })

  test('returns text, data and request id', async () => {
    server.script(result(claimed))
    expect(await tools(market).call('claim', { bounty_id: 'bnt_1' })).toEqual({
      text: JSON.stringify(claimed),
      data: claimed,
      requestId: 'req_test',
    })
  })

  test('ToolError for an error of the tool', async () => {
    const issues = [{ path: 'bounty_id', message: 'is required' }]
    server.script(result({ ...notOpen, error: { ...notOpen.error, issues } }, true))
    const error = await tools(market)
      .call('claim', { bounty_id: 'bnt_1' })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ToolError)
    expect(error).toMatchObject({
      code: 'bounty_not_open',
      message: 'claim: It is not open. (bounty_not_open, req_test)',
      retryable: false,
      issues,
      nextStep: 'Call find_bounties.',
      result: { requestId: 'req_test' },
    })
  })

  test('ToolError for an error of the protocol', async () => {
    server.script(
      json(200, { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool: claim' } }),
    )
    await expect(tools(market).call('claim', { bounty_id: 'bnt_1' })).rejects.toMatchObject({
      name: 'ToolError',
      code: 'unexpected_response',
      message: 'claim: Unknown tool: claim (unexpected_response, req_test)',
    })
  })

  test('ApiError and ConnectionError as every call', async () => {
    server.script(failure(401, 'unauthorized'))
    await expect(tools(market).call('balances', {})).rejects.toThrow(AuthenticationError)
    server.script(hangUp)
    await expect(tools(market).call('balances', {})).rejects.toThrow(ConnectionError)
  })

  describe('sends one Idempotency-Key with every attempt', () => {
    /** The key in the header of every attempt, and in the arguments. */
    const attempts = async (send: (kit: ReturnType<typeof tools>) => Promise<unknown>) => {
      server.script(hangUp, failure(503, 'overloaded', true, { 'retry-after': '0' }), result(claimed))
      await send(tools(market.with({ maxRetries: 2 })))
      const headers = server.received.map((request) => request.headers['idempotency-key'])
      expect(headers).toHaveLength(3)
      expect(new Set(headers).size).toBe(1)
      const args = calls().map(([, sent]) => (sent as { idempotency_key?: string }).idempotency_key)
      return { header: headers[0], argument: args[0] }
    }
    const offer = { project_id: 'proj_1', title: 'A', description: 'B', reward_amount: 1 }

    test('a new one', async () => {
      const { header, argument } = await attempts((kit) => kit.call('claim', { bounty_id: 'bnt_1' }))
      expect(header).toMatch(/^[0-9a-f]{32}$/)
      expect(argument).toBeUndefined()
    })

    test('that of the call, as the argument of a tool that requires one', async () => {
      const options = { idempotencyKey: 'own' }
      expect(await attempts((kit) => kit.call('create_bounty', offer, options))).toEqual({
        header: expect.stringMatching(/^[0-9a-f]{32}$/),
        argument: 'own',
      })
    })

    test('that of the arguments before all others', async () => {
      const args = { ...offer, idempotency_key: 'of the model' }
      expect(await attempts((kit) => kit.call('create_bounty', args, { idempotencyKey: 'own' }))).toEqual({
        header: expect.stringMatching(/^[0-9a-f]{32}$/),
        argument: 'of the model',
      })
    })
  })

  test.each<['create_bounty' | 'claim', unknown]>([
    ['create_bounty', 'ü☃'],
    ['create_bounty', 'a\nb'],
    ['create_bounty', { of: 'the model' }],
    ['claim', 'ü☃'],
  ])(
    'what a model sends %s as its key is for the service to judge, and in no header: %j',
    async (name, key) => {
      server.script(result(claimed))
      await tools(market).call(name, { idempotency_key: key } as never)
      expect(calls()).toEqual([[name, { idempotency_key: key }]])
      expect(server.received[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
    },
  )

  test('options of the call hold', async () => {
    server.script(result(claimed))
    const options = { apiKey: 'bmk_other', headers: { 'x-own': '1' }, idempotencyKey: 'own' }
    await tools(market).call('claim', { bounty_id: 'bnt_1' }, options)
    expect(server.received[0]?.headers).toMatchObject({
      authorization: 'Bearer bmk_other',
      'x-own': '1',
      'idempotency-key': 'own',
    })
  })
})

describe('answer runs the tool calls of a message in their order', () => {
  const script = () => server.script(result(claimed), result(notOpen, true))
  const expectedCalls = [
    ['claim', { bounty_id: 'bnt_1' }],
    ['claim', { bounty_id: 'bnt_2' }],
  ]

  test('of Chat Completions', async () => {
    script()
    const call = (id: string, bounty: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'claim', arguments: JSON.stringify({ bounty_id: bounty }) },
    })
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [call('call_1', 'bnt_1'), call('call_2', 'bnt_2')],
    }
    expect(await tools(market).answer.openai(message)).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify(claimed) },
      { role: 'tool', tool_call_id: 'call_2', content: JSON.stringify(notOpen) },
    ])
    expect(calls()).toEqual(expectedCalls)
    expect(await tools(market).answer.openai({ tool_calls: null })).toEqual([])
  })

  test('of the Responses API', async () => {
    script()
    const call = (call_id: string, bounty: string) => ({
      type: 'function_call',
      id: `fc_${call_id}`,
      call_id,
      name: 'claim',
      arguments: JSON.stringify({ bounty_id: bounty }),
    })
    const output = [{ type: 'reasoning', summary: [] }, call('call_1', 'bnt_1'), call('call_2', 'bnt_2')]
    expect(await tools(market).answer.responses(output)).toEqual([
      { type: 'function_call_output', call_id: 'call_1', output: JSON.stringify(claimed) },
      { type: 'function_call_output', call_id: 'call_2', output: JSON.stringify(notOpen) },
    ])
    expect(calls()).toEqual(expectedCalls)
  })

  test('of Anthropic', async () => {
    script()
    const use = (id: string, bounty: string) => ({
      type: 'tool_use',
      id,
      name: 'claim',
      input: { bounty_id: bounty },
    })
    const content = [{ type: 'text', text: 'I claim two.' }, use('toolu_1', 'bnt_1'), use('toolu_2', 'bnt_2')]
    expect(await tools(market).answer.anthropic({ content })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: JSON.stringify(claimed), is_error: false },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: JSON.stringify(notOpen), is_error: true },
        ],
      },
    ])
    expect(calls()).toEqual(expectedCalls)
    expect(await tools(market).answer.anthropic({ content: [{ type: 'text' }] })).toEqual([])
  })

  test('of Gemini', async () => {
    script()
    const parts = [
      { text: 'I claim two.' },
      { functionCall: { id: 'one', name: 'claim', args: { bounty_id: 'bnt_1' } } },
      { functionCall: { name: 'claim', args: { bounty_id: 'bnt_2' } } },
    ]
    expect(await tools(market).answer.gemini({ parts })).toEqual([
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'one', name: 'claim', response: { output: claimed } } },
          { functionResponse: { name: 'claim', response: { error: notOpen } } },
        ],
      },
    ])
    expect(calls()).toEqual(expectedCalls)
    expect(await tools(market).answer.gemini({})).toEqual([])
  })
})

describe('answer says what it takes', () => {
  const { answer } = tools(new Marketplace({ baseUrl: 'https://a.example' }))
  const wrong: [keyof typeof answer, unknown[]][] = [
    ['openai', [undefined, null, 'text', { tool_calls: {} }, { tool_calls: [null] }]],
    ['responses', [undefined, {}, 'text', ['text']]],
    ['anthropic', [undefined, {}, { content: 'text' }, { content: [null] }]],
    ['gemini', [undefined, null, { parts: {} }, { parts: [null] }]],
  ]
  test.each(wrong)('%s', async (api, messages) => {
    for (const message of messages)
      await expect(answer[api](message as never)).rejects.toThrow(
        expect.objectContaining({
          name: 'MarketplaceError',
          message: expect.stringMatching(`^answer.${api} takes a `),
        }),
      )
  })
})

describe('answer tells the model', () => {
  const ask = (name: string, args: string, kit = tools(market)) =>
    kit.answer
      .openai({ tool_calls: [{ id: 'call_1', function: { name, arguments: args } }] })
      .then(([message]) => message?.content)

  test.each(['{"bounty_id":', '[1]', '"text"', 'null'])(
    'that %s are no arguments, without a request',
    async (args) => {
      server.script(result(claimed))
      expect(await ask('claim', args)).toContain('not an object of JSON')
      expect(server.received).toEqual([])
    },
  )

  test('nothing about arguments that are left out', async () => {
    server.script(result(claimed))
    expect(await ask('next_actions', '')).toBe(JSON.stringify(claimed))
    expect(calls()).toEqual([['next_actions', {}]])
  })

  test('which tools there are if it names another, or one that it was not given', async () => {
    server.script(result(claimed))
    expect(await ask('withdraw', '{}')).toContain('There is no tool withdraw. There are: next_actions, ')
    const few = tools(market, { only: ['claim'] })
    expect(await ask('approve', '{"bounty_id":"bnt_1"}', few)).toContain(
      'There is no tool approve. There are: claim.',
    )
    expect(server.received).toEqual([])
  })

  test('that the service cannot be reached', async () => {
    server.script(hangUp)
    expect(await ask('balances', '{}')).toContain('no response from')
  })

  test('nothing about a wrong API key or the end of the program: these are thrown', async () => {
    server.script(failure(401, 'unauthorized'))
    await expect(ask('balances', '{}')).rejects.toThrow(AuthenticationError)
    const { answer } = tools(market)
    const message = { tool_calls: [{ id: 'call_1', function: { name: 'balances', arguments: '{}' } }] }
    await expect(answer.openai(message, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    )
  })
})
