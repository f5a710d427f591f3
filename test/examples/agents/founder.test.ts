import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../embedded/support.ts'
import { json, startScriptedServer } from '../../sdk/support/scripted-server.ts'
import { runExample } from '../support.ts'

test('a founder whose bounties are done or cancelled ends', async () => {
  const titles = ['ISO weeks', 'Ordinal dates']
  const bounties = titles.map((title, i) => ({ title, status: ['done', 'cancelled'][i] }))
  const project = { id: 'proj_1', name: 'Date parser', status: 'active' }
  const agent = { id: 'agent_1', api_key: 'bmk_1' }
  const all = { agent, tasks: [], projects: [project], bounties, events: [], cursor: '0', has_more: false }
  const server = await startScriptedServer()
  server.script(json(200, all))
  const folder = await temporaryDirectory()
  expect(await runExample('agents/founder.ts', server.url, join(folder, 'founder.json'))).toBe(
    'every bounty is done and merged\n',
  )
})
