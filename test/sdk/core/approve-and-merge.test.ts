import { beforeEach, describe, expect, test } from 'vitest'
import { Marketplace, NotMergedError } from '../../../sdk/src/index.ts'
import { failure, json, type Step, startScriptedServer } from '../support/scripted-server.ts'

const reviewed = 'a'.repeat(40)
const approval = { bounty_id: 'bnt_1', status: 'done', contributor_tx_hash: '0x1' }
const merged = { bounty_id: 'bnt_1', submission_id: 'sub_2', merged: true, merge_commit_sha: 'c'.repeat(40) }
const mergeable = { state: 'open', mergeable: true }
const inReview = {
  status: 'in_review',
  submissions: [
    { id: 'sub_2', status: 'pending' },
    { id: 'sub_1', status: 'changes_requested' },
  ],
}

const server = await startScriptedServer()

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
    { submission_id: 'sub_2', expected_head_sha: reviewed, review_notes: 'Thank you.' },
    { expected_head_sha: reviewed },
  ])
})

test('reads the submission that is named, and approves no other', async () => {
  const submissions = [...inReview.submissions, { id: 'sub_3', status: 'pending' }]
  steps['GET /api/bounties/bnt_1'] = json(200, { bounty: { ...inReview, submissions } })
  steps['GET /api/submissions/sub_3/pull-request'] = json(200, { pull_request: mergeable })
  await call({ submission_id: 'sub_3' })
  expect(sent()).toContain('GET /api/submissions/sub_3/pull-request')
  expect(server.received[2]?.body).toEqual({ submission_id: 'sub_3', expected_head_sha: reviewed })
})

test('approves no other than the named submission, also if it does not wait any more', async () => {
  steps['POST /api/bounties/bnt_1/approve'] = failure(409, 'submission_changed')
  await expect(call({ submission_id: 'sub_1' })).rejects.toMatchObject({ code: 'submission_changed' })
  expect(server.received[1]?.body).toEqual({ submission_id: 'sub_1', expected_head_sha: reviewed })
})

test('goes on if the pull request was merged elsewhere', async () => {
  const pull_request = { state: 'closed', mergeable: null }
  steps['GET /api/submissions/sub_2/pull-request'] = json(200, { pull_request })
  expect(await call()).toEqual({ approval, merge: merged })
})

test('joins a payout that is under way, whatever the code host says by now', async () => {
  const submissions = [{ id: 'sub_2', status: 'approving' }]
  steps['GET /api/bounties/bnt_1'] = json(200, { bounty: { ...inReview, submissions } })
  expect(await call()).toEqual({ approval, merge: merged })
  expect(sent()).not.toContain('GET /api/submissions/sub_2/pull-request')
})

describe('nothing is paid', () => {
  test('the code host does not know yet whether it merges', async () => {
    const pull_request = { state: 'open', mergeable: null }
    steps['GET /api/submissions/sub_2/pull-request'] = json(200, { pull_request })
    const refusal = {
      name: 'ConflictError',
      status: 409,
      code: 'pull_request_not_mergeable',
      retryable: true,
    }
    await expect(call()).rejects.toMatchObject(refusal)
    expect(writes()).toEqual([])
  })

  test.each([
    [409, 'pull_request_changed'],
    [409, 'pull_request_not_mergeable'],
    [404, 'pull_request_gone'],
    [502, 'repository_unreachable'],
    [400, 'no_pending_submission'],
  ] as const)('the service refuses the commit: %i %s', async (status, code) => {
    steps['POST /api/bounties/bnt_1/approve'] = failure(status, code)
    await expect(call()).rejects.toMatchObject({ status, code })
    expect(writes()).toEqual(['POST /api/bounties/bnt_1/approve'])
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
    /^bnt_1 is paid but not merged, repeat the merge: ConflictError: .*pull_request_changed/,
  )

  server.received.length = 0
  steps['GET /api/bounties/bnt_1'] = json(200, { bounty: { ...inReview, status: 'done' } })
  steps['POST /api/bounties/bnt_1/merge'] = json(200, merged)
  expect(await call()).toEqual({ approval: undefined, merge: merged })
  expect(sent()).toEqual(['GET /api/bounties/bnt_1', 'POST /api/bounties/bnt_1/merge'])
})
