import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ErrorCode, errorCatalog, ServiceError } from '../../server/errors.ts'
import { listOperations } from '../../server/http/adapter/operations.ts'
import { failureResult } from '../../server/mcp/errors.ts'
import { type BoundTool, bindTools } from '../../server/mcp/tools/definitions.ts'
import { router } from '../../server/router.ts'
import { createTestMarket } from '../support/market.ts'
import { connect } from './client.ts'

const market = await createTestMarket()
const project = await market.activeProject()
const { id } = await market.openBounty({ project })
const agent = await market.register()
const { use, refused } = await connect(market.baseUrl, agent.key)

test('an error is a result with code, message, and the next tool to call', async () => {
  const { refused } = await connect(market.baseUrl, project.founder.key)
  expect(await refused('claim', { bounty_id: id })).toEqual({
    error: {
      code: 'founder_cannot_claim',
      message: 'Founders cannot claim bounties of their own projects. Claim one of another founder.',
      retryable: false,
    },
    next_step: 'Call find_bounties.',
  })
})

test('a token works with tools as the key does; one of the scope `read` changes nothing', async () => {
  const tokenOf = async (scope: string) => {
    const body = { scope, label: 'mcp' }
    const made = await market.api('POST', '/api/agents/me/tokens', { key: agent.key, body })
    return connect(market.baseUrl, made.body.secret)
  }
  const reader = await tokenOf('read')
  const worker = await tokenOf('work')
  const { id: bounty_id } = await market.openBounty({ project })
  expect((await reader.use('get_bounty', { bounty_id })).bounty.status).toBe('open')
  expect((await reader.refused('claim', { bounty_id })).error).toMatchObject({
    code: 'scope_missing',
    message: expect.stringContaining('`work`'),
  })
  await worker.use('claim', { bounty_id })
  await worker.use('change_claim', { bounty_id, action: 'release' })
})

test('a token of the scope `read` is offered what only reads', async () => {
  const { body } = await market.api('POST', '/api/agents/me/tokens', {
    key: agent.key,
    body: { label: 'looks', scope: 'read' },
  })
  const { client } = await connect(market.baseUrl, body.secret)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('wait_for_events')
  expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([])
})

test('validation_failed names arguments of the tool', async () => {
  const { error } = await refused('get_bounty', { bounty_id: 'x'.repeat(201) })
  expect(error).toMatchObject({ code: 'validation_failed', issues: [{ path: 'bounty_id' }] })
  expect(error.message).toBe('Not valid: bounty_id.')
  expect(await refused('find_bounties', { cursor: 'x' })).toMatchObject({
    error: { issues: [{ path: 'cursor' }] },
  })
  expect(await refused('create_bounty', { project_id: project.id, idempotency_key: 'k' })).toMatchObject({
    error: { issues: [{ path: 'title' }, { path: 'description' }, { path: 'reward_amount' }] },
  })
})

test('the types of events stand once in the error of one that there is not', async () => {
  const { error } = await refused('wait_for_events', { types: 'bounty.eaten' })
  expect(JSON.stringify(error).match(/bounty\.created/g)).toHaveLength(1)
})

test('no next step repeats what the message of its error has said', () => {
  const tool = bindTools(listOperations(router)).find(({ name }) => name === 'approve') as BoundTool
  const triplesOf = (text: string) => {
    const words = text.toLowerCase().match(/pull request|api key|\w+/g) ?? []
    return words.slice(2).map((word, at) => [words[at], words[at + 1], word].join(' '))
  }
  for (const code of Object.keys(errorCatalog) as ErrorCode[]) {
    const { content } = failureResult(tool, new ServiceError(code))
    const { error, next_step } = JSON.parse(content[0].text)
    const said = triplesOf(error.message)
    expect(
      triplesOf(next_step).filter((triple) => said.includes(triple)),
      code,
    ).toEqual([])
  }
})

const returned = { bounty_id: 'bnt_1', submission_id: 'sub_1', review_notes: 'n' }

test.each([
  ['claim', {}, 'bounty_id', 'is required'],
  ['claim', { bounty_id: null }, 'bounty_id', 'is required'],
  ['claim', { bounty_id: 7 }, 'bounty_id', 'must be a string that is not blank'],
  ['claim', { bounty_id: '' }, 'bounty_id', 'must be a string that is not blank'],
  ['claim', { bounty_id: '..' }, 'bounty_id', 'must be a string that is not blank'],
  ['claim', { bounty_id: '\ud800' }, 'bounty_id', 'must be valid Unicode'],
  ['find_bounties', { q: '\ud800' }, 'q', 'must be valid Unicode'],
  ['approve', { bounty_id: 'bnt_1', expected_head_sha: 'a'.repeat(40) }, 'submission_id', 'is required'],
  ['approve', { bounty_id: 'bnt_1', submission_id: 'sub_1' }, 'expected_head_sha', 'is required'],
  ['wait_for_events', { wait: 51 }, 'wait', '50'],
  ['create_project', { project_id: '' }, 'project_id', 'must be a string that is not blank'],
  [
    'create_bounty',
    {
      project_id: 'prj_1',
      title: 'A',
      description: 'B',
      reward_amount: 1,
      idempotency_key: 7,
    },
    'idempotency_key',
    'must be a string',
  ],
  ['claim', { bounty_id: 'bnt_1', constructor: 'x' }, 'constructor', 'is not an argument'],
  ['find_bounties', { limit: 100 }, 'limit', 'is not an argument of find_bounties'],
  ['find_bounties', { q: ['a'] }, 'q', 'must be one value, not a list'],
  ['get_bounty', { bounty_id: ['bnt_1'] }, 'bounty_id', 'must be one value, not a list'],
  ['claim', { bounty_id: 'bnt_1', revision: '1' }, 'revision', 'must be a whole number, without quotes'],
  [
    'return_submission',
    { ...returned, action: 'reject', bar: 'true' },
    'bar',
    'true or false, without quotes',
  ],
  [
    'return_submission',
    { ...returned, action: 'request_changes', bar: true },
    'bar',
    'with the action reject',
  ],
  [
    'change_claim',
    { bounty_id: 'bnt_1', action: 'extend', reason: 'x' },
    'reason',
    'with the action release',
  ],
  ['create_project', { project_id: 'proj_1', name: 'A' }, 'name', 'leave out either it or project_id'],
  ['get_bounty', { bounty_id: 'bnt_1', text_from: -1 }, 'text_from', 'must be a whole number'],
  ['merge', { bounty_id: 'bnt_1', method: 'merge' }, 'method', 'is not an argument'],
])('%s with %j: %s %s', async (name, args, path, message) => {
  const { error } = await refused(name, args)
  expect(error).toMatchObject({
    code: 'validation_failed',
    issues: [{ path, message: expect.stringContaining(message) }],
  })
})

test('an id of another kind is refused by every argument that takes one, with the kind that it takes', async () => {
  const prefixes: Record<string, string> = { bounty_id: 'bnt_', submission_id: 'sub_', project_id: 'proj_' }
  const { tools } = await connect(market.baseUrl, agent.key).then(({ client }) => client.listTools())
  const taken = tools.flatMap(({ name, inputSchema }) =>
    Object.keys(inputSchema.properties ?? {}).flatMap((argument) =>
      argument in prefixes ? [{ name, argument }] : [],
    ),
  )
  expect(taken.length).toBeGreaterThan(15)
  for (const { name, argument } of taken)
    for (const other of ['bnt_1', 'sub_1', 'proj_1', 'agent_1']) {
      if (other.startsWith(prefixes[argument] as string)) continue
      const { error } = await refused(name, { [argument]: other })
      const message = `must be an id that begins with ${prefixes[argument]}, not with ${other.replace('1', '')}`
      expect(error.issues, name).toContainEqual({ path: argument, message })
    }
})

test('requests that are tools are named as tools, and actions as those of their tool', async () => {
  const open = await market.openBounty({ project })
  const { error } = await refused('submit', { bounty_id: open.id, pr_url: 'https://example.org/a/b/pull/1' })
  expect(error.message).toBe('Nobody holds a claim on this bounty. Claim it first: call claim.')
  await use('claim', { bounty_id: open.id })
  const { next_step } = await refused('change_claim', { bounty_id: open.id, action: 'extend' })
  expect(next_step).toBe('Then call change_claim with action extend again, or submit.')
  await use('change_claim', { bounty_id: open.id, action: 'release' })
  await expect(use('extend', { bounty_id: open.id })).rejects.toThrow('call change_claim with action extend')
})

test('a tool that an agent alone has says to a visitor that it needs a token, and how to get one', async () => {
  const visitor = await connect(market.baseUrl, undefined)
  await expect(visitor.use('claim', { bounty_id: id })).rejects.toThrow(
    /^The tool claim needs an access token: call register once/,
  )
})

test('a repeated approval says that the first has succeeded and paid once, and what comes next', async () => {
  const bounty = await market.bountyInReview({ project })
  const { use, refused } = await connect(market.baseUrl, project.founder.key)
  const { pull_request } = await use('pull_request', { submission_id: bounty.submissionId })
  const approval = {
    bounty_id: bounty.id,
    submission_id: bounty.submissionId,
    expected_head_sha: pull_request.head_sha,
  }
  await use('approve', approval)
  expect(await refused('approve', approval)).toMatchObject({
    error: { code: 'bounty_not_in_review', message: expect.stringContaining('was approved and paid by') },
    next_step: 'Nothing was paid a second time. Call merge, unless it is merged.',
  })
  const other = { ...approval, submission_id: 'sub_00000000000000000000' }
  expect((await refused('approve', other)).next_step).not.toContain('a second time')
  const another = await market.bountyInReview({ project })
  await market.api('POST', `/api/bounties/${another.id}/reject`, {
    ...project.founder,
    body: { review_notes: 'No.' },
  })
  // What was paid is of another bounty.
  const mixed = await refused('approve', { ...approval, bounty_id: another.id })
  expect(mixed.next_step).not.toContain('a second time')
})

test('a merge of another commit than the paid one says how to merge that one, and one that the code host does not make, when', async () => {
  const bounty = await market.bountyInReview({ project })
  const { use, refused } = await connect(market.baseUrl, project.founder.key)
  const { id: bounty_id, submissionId: submission_id } = bounty
  const { pull_request } = await use('pull_request', { submission_id })
  await use('approve', { bounty_id, submission_id, expected_head_sha: pull_request.head_sha })
  const { error, next_step } = await refused('merge', { bounty_id, expected_head_sha: 'f'.repeat(40) })
  expect(error).toMatchObject({
    code: 'pull_request_changed',
    message: expect.stringContaining('leave `expected_head_sha` out'),
  })
  expect(next_step).toBe('Call merge again without it: nothing else is merged.')
  // The code host of these tests has no git to merge with.
  expect(await refused('merge', { bounty_id })).toMatchObject({
    error: { code: 'pull_request_not_mergeable' },
    next_step: 'Call merge again once nothing stands in its way.',
  })
})

test('an unknown argument keeps its name, and what else is wrong is said with it', async () => {
  const { error } = await refused('get_bounty', { id })
  expect(error.issues).toEqual([
    { path: 'bounty_id', message: 'is required' },
    { path: 'id', message: expect.stringContaining('is not an argument of get_bounty') },
  ])
  const offer = { project_id: project.id, title: '', description: 'B', reward_amount: 0, reward: 5 }
  expect(await refused('create_bounty', { ...offer, idempotency_key: 'k' })).toMatchObject({
    error: { issues: [{ path: 'reward' }, { path: 'title' }, { path: 'reward_amount' }] },
  })
})

test.each(['../config/public', '%2e%2e', 'a/../../x', 'bnt_1?x=1', 'bnt_1#', ' ', '\u0000'])(
  'the id %j leads to no other path',
  async (bounty_id) => {
    const { error } = await refused('get_bounty', { bounty_id })
    expect(['bounty_not_found', 'validation_failed', 'uri_too_long']).toContain(error.code)
  },
)

test('idempotency_key_invalid: call again with another key', async () => {
  expect(
    await refused('create_bounty', {
      project_id: project.id,
      title: 'A',
      description: 'B',
      reward_amount: 1,
      idempotency_key: 'ä',
    }),
  ).toMatchObject({
    error: { code: 'idempotency_key_invalid' },
    next_step: expect.stringContaining('Call create_bounty again with a random UUID'),
  })
})

test('a refused create_bounty runs again under its idempotency_key, as it was or corrected', async () => {
  const { use, refused } = await connect(market.baseUrl, project.founder.key)
  const offer = { project_id: project.id, title: 'A', description: 'B', idempotency_key: randomUUID() }
  for (const _ of [1, 2])
    expect(await refused('create_bounty', { ...offer, reward_amount: 10 ** 12 })).toMatchObject({
      error: { code: 'insufficient_funds' },
      next_step: expect.not.stringContaining('idempotency_key'),
    })
  expect((await use('create_bounty', { ...offer, reward_amount: 1 })).bounty.status).toBe('open')
})

test('bounty_not_open: get_bounty shows the holder that its next step promises', async () => {
  const bounty = await market.claimedBounty({ project })
  const { next_step } = await refused('claim', { bounty_id: bounty.id })
  expect(next_step).toContain('get_bounty')
  expect((await use('get_bounty', { bounty_id: bounty.id })).bounty.claim.agent_id).toBe(bounty.claimant.id)
})
