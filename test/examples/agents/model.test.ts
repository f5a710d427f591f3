import type { Task } from '@bounty-marketplace/sdk'
import { expect, test } from 'vitest'
import { decideByModel, type Model } from '../../../examples/agents/support/model.ts'

const approve = {
  action: 'approve',
  operation: 'bounties.approve',
  method: 'POST' as const,
  path: '/api/bounties/bnt_1/approve',
  body: { submission_id: 'sub_1' },
  missing: ['expected_head_sha'],
}
const facts = {
  action: 'read_pull_request',
  operation: 'submissions.pullRequest',
  method: 'GET' as const,
  path: '/api/submissions/sub_1/pull-request',
  body: null,
  missing: [],
}
const task: Task = {
  id: 'review:sub_1',
  action: 'review',
  project_id: 'proj_1',
  bounty_id: 'bnt_1',
  revision: 1,
  submission_id: 'sub_1',
  webhook_id: null,
  due_at: null,
  consequence: '',
  request: facts,
  choices: [approve],
}

test.each<[string, Model, object | undefined]>([
  [
    'reads, then chooses a step with the fields it lacks',
    async (_, __, seen) =>
      seen.length === 0
        ? { use: 'pull_request', input: { id: 'sub_1' } }
        : { choose: 'approve', fields: { expected_head_sha: seen[0], submission_id: 'sub_2' } },
    { step: approve, fields: { expected_head_sha: 'pull_request {"id":"sub_1"}' } },
  ],
  [
    'does not get tools that write',
    async (_, tools, seen) =>
      seen.length === 0
        ? { use: 'approve', input: {} }
        : { choose: 'approve', fields: { expected_head_sha: `${tools.length} ${seen[0]}` } },
    { step: approve, fields: { expected_head_sha: '1 There is no tool approve.' } },
  ],
  ['chooses no step of another task', async () => ({ choose: 'merge' }), undefined],
  ['forgets a field', async () => ({ choose: 'approve' }), undefined],
  ['never decides', async () => ({ use: 'pull_request', input: {} }), undefined],
])('a model that %s', async (_, model, expected) => {
  const decide = decideByModel(model, {
    list: async () => [
      { name: 'pull_request', description: '', inputSchema: {}, annotations: { readOnlyHint: true } },
      { name: 'approve', description: '', inputSchema: {}, annotations: { readOnlyHint: false } },
    ],
    call: async (name, input) => `${name} ${JSON.stringify(input)}`,
  })
  expect(await decide(task)).toEqual(expected)
})
