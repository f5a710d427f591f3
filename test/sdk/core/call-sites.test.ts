import { expect, test } from 'vitest'
import { memoryStore, runAgent } from '../../../sdk/src/agent/index.ts'
import { Marketplace } from '../../../sdk/src/index.ts'
import { failure, startScriptedServer } from '../support/scripted-server.ts'

const server = await startScriptedServer()
const market = new Marketplace({ baseUrl: server.url, apiKey: 'bmk_1' })
const silent = { info: () => undefined, warn: () => undefined }
const withdrawal = { amount: '1', as: 'tokens', project_id: 'proj_1', to: `0x${'1'.repeat(40)}` } as const

async function drained(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

/** Everything that sends requests for its caller, by name. */
const calls: Record<string, () => Promise<unknown>> = {
  'a call': () => market.bounties.get('bnt_1'),
  withResponse: () => market.bounties.get('bnt_1').withResponse(),
  request: () => market.request('GET /api/bounties/bnt_1'),
  perform: () =>
    market.perform({
      request: {
        action: 'submit',
        operation: 'bounties.submit',
        method: 'POST',
        path: '/api/bounties/bnt_1/submit',
        body: {},
        missing: [],
      },
      choices: [],
    }),
  iterate: () => drained(market.bounties.iterate()),
  'iterate by next': () => drained(market.withdrawals.iterate()),
  approveAndWait: () => market.bounties.approveAndWait('bnt_1'),
  approveAndMerge: () => market.bounties.approveAndMerge('bnt_1', { expected_head_sha: 'a'.repeat(40) }),
  claimNext: () => market.bounties.claimNext(),
  'claimNext of a project': () => market.bounties.claimNext({ project_id: 'proj_1' }),
  activateAndWait: () => market.projects.activateAndWait('proj_1'),
  setAllowanceAndWait: () => market.projects.setAllowanceAndWait('proj_1', { amount: '1' }),
  nextSubmission: () => market.projects.nextSubmission('proj_1'),
  waitForReview: () => market.submissions.waitForReview('sub_1'),
  withdrawAndWait: () => market.withdrawals.withdrawAndWait(withdrawal),
  stream: () => drained(market.events.stream()),
  'stream from a cursor': () => drained(market.events.stream({ after: '0' })),
  started: () => market.events.stream().started(),
  runAgent: () => runAgent({ market, store: memoryStore(), work: async () => undefined, logger: silent }),
}

const outage = failure(503, 'internal_error', true, { 'retry-after': '0' })
const refusal = failure(401, 'unauthorized')

test.each(Object.keys(calls))('an error of %s has the line that awaits it in its stack', async (name) => {
  async function lineOfTheUser(): Promise<void> {
    await calls[name]?.()
  }
  server.script(refusal)
  const first = await lineOfTheUser().catch((error: Error) => error.stack)
  expect(first).toContain(lineOfTheUser.name)
  // More attempts than a call makes by itself, so that a wait is in its second round.
  server.script(...Array(5).fill(outage), refusal)
  const later = await lineOfTheUser().catch((error: Error) => error.stack)
  expect(later).toContain(lineOfTheUser.name)
})

test('the length of stacks is what it was before a call', async () => {
  const { stackTraceLimit } = Error
  server.script(refusal)
  await expect(market.bounties.get('bnt_1')).rejects.toThrow('unauthorized')
  expect(Error.stackTraceLimit).toBe(stackTraceLimit)
})
