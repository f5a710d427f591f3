import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryDirectory } from '../../embedded/support.ts'
import { failure, json, type Step, startScriptedServer } from '../../sdk/support/scripted-server.ts'
import { runExample } from '../support.ts'

let server: Awaited<ReturnType<typeof startScriptedServer>>
beforeEach(async () => {
  server = await startScriptedServer()
})

const project = { id: 'proj_1', name: 'Date parser', status: 'active' }
const agent = { id: 'agent_1', api_key: 'bmk_1' }
const all = {
  agent,
  tasks: [],
  projects: [project],
  events: [],
  cursor: '0',
  has_more: false,
  truncated: false,
}
const bounty = (title: string, status = 'done') => ({ title, status })

async function runFounder(): Promise<string> {
  return runExample('agents/founder.ts', server.url, join(await temporaryDirectory(), 'founder.json'))
}

/** Serves these bounties, newest first, `pageSize` at a time, and adds those that are posted. `first` responds to reads of projects. */
function serve(bounties: { title: string; status: string }[], { pageSize = 100, first = [] as Step[] } = {}) {
  server.script((response, request) => {
    const { method, path, body } = request
    const step = /\/projects(\?|$)/.test(path) && first.shift()
    if (step) return step(response, request)
    const after = Number(new URL(path, server.url).searchParams.get('after') ?? 0)
    const next = after + pageSize < bounties.length ? String(after + pageSize) : null
    const isPost = method === 'POST' && path.endsWith('/bounties')
    if (isPost) bounties.unshift(bounty((body as { title: string }).title))
    json(isPost ? 201 : 200, { ...all, bounties: bounties.slice(after, after + pageSize), next })(
      response,
      request,
    )
  })
}

test('a founder whose bounties are done or cancelled ends', async () => {
  serve([bounty('ISO weeks'), bounty('Ordinal dates', 'cancelled')])
  expect(await runFounder()).toBe('every bounty is done and merged\n')
})

test('a founder posts no bounty again that is on a later page', async () => {
  const bounties = [bounty('Other'), bounty('Others'), bounty('ISO weeks'), bounty('Ordinal dates')]
  serve(bounties, { pageSize: 2 })
  expect(await runFounder()).toBe('every bounty is done and merged\n')
  expect(bounties).toHaveLength(4)
})

test('a founder whose project is on a later page founds no other one', async () => {
  const page = { ...all, projects: [{ ...project, id: 'proj_2', name: 'Other' }], next: '1' }
  serve([bounty('ISO weeks'), bounty('Ordinal dates')], { first: [json(200, page)] })
  expect(await runFounder()).toBe('every bounty is done and merged\n')
})

test('a founder whose beginning has failed does not end before it has posted what it wants', async () => {
  const bounties = [bounty('ISO weeks')]
  serve(bounties, { first: [failure(400, 'bad_request')] })
  expect(await runFounder()).toMatch(/every bounty is done and merged\n$/)
  expect(bounties.map(({ title }) => title)).toEqual(['Ordinal dates', 'ISO weeks'])
})
