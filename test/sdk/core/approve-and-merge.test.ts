import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Marketplace, NotMergedError } from '../../../sdk/src/index.ts'
import {
  failure,
  json,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from '../support/scripted-server.ts'

const reviewed = 'a'.repeat(40)
const approval = { bounty_id: 'bnt_1', status: 'done', contributor_tx_hash: '0x1' }
const merged = { bounty_id: 'bnt_1', submission_id: 'sub_2', merged: true, merge_commit_sha: 'c'.repeat(40) }
const mergeable = { state: 'open', draft: false, merged: false, mergeable: true, head_sha: reviewed }
const inReview = {
  status: 'in_review',
  submissions: [
    { id: 'sub_2', status: 'pending' },
    { id: 'sub_1', status: 'changes_requested' },
  ],
}

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())

let steps: Record<string, Step>
beforeEach(() => {
  steps = {
    'GET /api/bounties/bnt_1': json(200, { bounty: inReview }),
    'GET /api/submissions/sub_2/pull-request': json(200, { pull_request: mergeable }),
    'POST /api/bounties/bnt_1/approve': json(200, approval),
    'POST /api/bounties/bnt_1/merge': json(200, merged),
  }
  server.script((response, request) => steps[`${request.method} ${request.path}`]?.(response, request))
})

const call = (body = {}) =>
  new Marketplace({ baseUrl: server.url, apiKey: 'key', maxRetries: 0 }).bounties.approveAndMerge('bnt_1', {
    expected_head_sha: reviewed,
    ...body,
  })
const sent = () => server.received.map(({ method, path }) => `${method} ${path}`)
const writes = () => sent().filter((line) => line.startsWith('POST'))

test('approves the submission that was read, then merges the commit that was reviewed', async () => {
  expect(await call({ review_notes: 'Thank you.' })).toEqual({ approval, merge: merged })
  expect(sent()).toEqual(Object.keys(steps))
  expect(server.received.slice(2).map(({ body }) => body)).toEqual([
    { submission_id: 'sub_2', review_notes: 'Thank you.' },
    { expected_head_sha: reviewed },
  ])
})

test('reads the submission that is named, and approves no other', async () => {
  steps['GET /api/submissions/sub_3/pull-request'] = json(200, { pull_request: mergeable })
  await call({ submission_id: 'sub_3' })
  expect(sent()).toContain('GET /api/submissions/sub_3/pull-request')
  expect(server.received[2]?.body).toEqual({ submission_id: 'sub_3' })
})

test('goes on if the pull request was merged elsewhere with that commit', async () => {
  const pull_request = { ...mergeable, state: 'closed', merged: true, mergeable: null }
  steps['GET /api/submissions/sub_2/pull-request'] = json(200, { pull_request })
  expect(await call()).toEqual({ approval, merge: merged })
})

describe('nothing is paid', () => {
  const refused: [string, object, string, boolean][] = [
    ['another commit', { head_sha: 'b'.repeat(40) }, 'pull_request_changed', false],
    ['merged with another commit', { head_sha: 'b'.repeat(40), merged: true }, 'pull_request_changed', false],
    ['a draft', { draft: true }, 'pull_request_not_mergeable', false],
    ['closed', { state: 'closed' }, 'pull_request_not_mergeable', false],
    ['gone', { state: 'gone' }, 'pull_request_not_mergeable', false],
    ['in conflict', { mergeable: false }, 'pull_request_not_mergeable', false],
    ['not known to merge', { mergeable: null }, 'pull_request_not_mergeable', true],
  ]
  test.each(refused)('%s', async (_, facts, code, retryable) => {
    steps['GET /api/submissions/sub_2/pull-request'] = json(200, { pull_request: { ...mergeable, ...facts } })
    await expect(call()).rejects.toMatchObject({ name: 'ConflictError', status: 409, code, retryable })
    expect(writes()).toEqual([])
  })

  test('no submission waits', async () => {
    const submissions = [{ id: 'sub_1', status: 'changes_requested' }]
    steps['GET /api/bounties/bnt_1'] = json(200, { bounty: { status: 'claimed', submissions } })
    await expect(call()).rejects.toMatchObject({ status: 400, code: 'no_pending_submission' })
    expect(writes()).toEqual([])
  })

  test('a refused approval: nothing is merged', async () => {
    steps['POST /api/bounties/bnt_1/approve'] = failure(400, 'insufficient_funds')
    await expect(call()).rejects.toMatchObject({ code: 'insufficient_funds' })
    expect(writes()).toEqual(['POST /api/bounties/bnt_1/approve'])
  })
})

test('a merge that fails says that the approval stands, and the next call only merges', async () => {
  steps['POST /api/bounties/bnt_1/merge'] = failure(409, 'pull_request_changed')
  const error = await call().catch((thrown) => thrown)
  expect(error).toBeInstanceOf(NotMergedError)
  expect(error).toMatchObject({ bountyId: 'bnt_1', approval, cause: { code: 'pull_request_changed' } })
  expect(error.message).toMatch(
    /^bnt_1 is paid but not merged, repeat the merge alone: ConflictError: .*pull_request_changed/,
  )

  server.received.length = 0
  steps['GET /api/bounties/bnt_1'] = json(200, { bounty: { ...inReview, status: 'done' } })
  steps['POST /api/bounties/bnt_1/merge'] = json(200, merged)
  expect(await call()).toEqual({ approval: undefined, merge: merged })
  expect(sent()).toEqual(['GET /api/bounties/bnt_1', 'POST /api/bounties/bnt_1/merge'])
})
