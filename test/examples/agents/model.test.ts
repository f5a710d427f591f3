import type { Task } from '@bounty-marketplace/sdk'
import { tools } from '@bounty-marketplace/sdk/tools'
import { expect, test } from 'vitest'
import { byModel, type Model } from '../../../examples/agents/model.ts'

const approve = (sha: string | undefined) => ({ choice: 'approve', fields: { expected_head_sha: sha } })

test.each<[string, Model, object | undefined]>([
  [
    'reads, then chooses a step with the fields it lacks',
    async (_, __, seen) =>
      seen.length === 0 ? { use: 'get_bounty', input: { bounty_id: 'bnt_1' } } : { choose: approve(seen[0]) },
    approve('get_bounty {"bounty_id":"bnt_1"}'),
  ],
  [
    'does not get tools that write',
    async (_, given, seen) =>
      seen.length === 0
        ? { use: 'claim', input: {} }
        : { choose: approve(`${given.some(({ name }) => name === 'claim')} ${seen[0]}`) },
    approve('false There is no tool claim.'),
  ],
  ['never decides', async () => ({ use: 'get_bounty', input: {} }), undefined],
])('a model that %s', async (_, model, expected) => {
  const { definitions } = tools({ request: () => expect.unreachable() })
  const call = async (name: string, input: object) => {
    return { text: `${name} ${JSON.stringify(input)}`, data: {}, requestId: undefined }
  }
  expect(await byModel(model, { definitions, call }, {} as Task)).toEqual(expected)
})
