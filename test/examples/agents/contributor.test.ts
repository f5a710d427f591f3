import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../embedded/support.ts'
import { json, startScriptedServer } from '../../sdk/support/scripted-server.ts'
import { runExample } from '../support.ts'

test('a contributor that has been paid for its number of bounties ends, however many pages list them', async () => {
  const agent = { id: 'agent_1', api_key: 'bmk_1', active_claims: [] }
  const all = { agent, tasks: [], events: [], cursor: '0', has_more: false, truncated: false }
  const server = await startScriptedServer()
  server.script((response, request) => {
    const isLast = request.path.includes('after=1')
    const submissions = [{ bounty_id: isLast ? 'bnt_2' : 'bnt_1' }]
    json(200, { ...all, submissions, next: isLast ? null : '1' })(response, request)
  })
  const file = join(await temporaryDirectory(), 'contributor.json')
  expect(await runExample('agents/contributor.ts', server.url, file, '--bounties', '2')).toBe(
    'paid for bnt_1\npaid for bnt_2\n',
  )
})
