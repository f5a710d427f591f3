import { createHmac, randomUUID } from 'node:crypto'
import payloads from '@octokit/webhooks-examples'
import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { createRows } from '../../support/rows.ts'

/** What the code host sends, as others have recorded it, in the members that say what it is about. */
interface Recorded {
  repository?: { id: number }
  pull_request?: { number: number }
  check_run?: { head_sha: string }
  check_suite?: { head_sha: string }
  sha?: string
}

// The types of the package name a default export that its JSON does not have.
const examples = payloads as unknown as { name: string; examples: Recorded[] }[]
const secret = 'a secret of the code host'
const market = await createTestMarket({ engines: false, settings: { GITHUB_WEBHOOK_SECRET: secret } })
const { db } = market
const rows = createRows(db)

async function forget() {
  for (const table of ['pull_requests', 'bounties', 'projects'] as const) await db.deleteFrom(table).execute()
}

/** What is read again or sought, by the event; after every other event nothing is. */
const effects: Record<string, readonly string[]> = {
  pull_request: ['number', 'work'],
  pull_request_review: ['number'],
  pull_request_review_comment: ['number'],
  pull_request_review_thread: ['number'],
  check_run: ['commit'],
  check_suite: ['commit'],
  status: ['commit'],
  deployment_status: ['commit'],
  push: ['work'],
  repository: ['number', 'commit'],
}

/** A project with the pull request and the commit of a payload, and with a claim. */
async function projectOf(
  { repository, pull_request, check_run, check_suite, sha }: Recorded,
  isOther = false,
) {
  const project_id = await rows.project({ repository_id: isOther ? 1 : (repository?.id ?? 2) })
  const later = { project_id, due_at: new Date(Date.now() + 600_000), read_at: new Date(Date.now() - 60_000) }
  const commit = (check_run ?? check_suite)?.head_sha ?? sha
  const names = {
    [await rows.pullRequest({ ...later, number: pull_request?.number ?? 1001 })]: 'number',
    [await rows.pullRequest({ ...later, number: 1002, head_sha: commit ?? 'b'.repeat(40) })]: 'commit',
    [await rows.bountyAt('claimed', { project_id })]: 'work',
  }
  return { names, hasCommit: commit !== undefined }
}

/** Those of these that are read or sought soon. */
async function soon(names: Record<string, string>): Promise<string[]> {
  const near = new Date(Date.now() + 10_000)
  const pulls = await db.selectFrom('pull_requests').select('url as id').where('due_at', '<', near).execute()
  const claims = await db.selectFrom('bounties').select('id').where('look_at', '<', near).execute()
  return [...pulls, ...claims].flatMap(({ id }) => names[id] ?? [])
}

function deliver(event: string, payload: unknown) {
  const body = JSON.stringify(payload)
  const headers = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }
  return fetch(`${market.baseUrl}/github/webhook`, { method: 'POST', headers, body })
}

test.each(examples.map(({ name, examples: recorded }) => [name, recorded] as const))(
  '202, and what it is about is read again: %s',
  async (event, recorded) => {
    expect(recorded.length).toBeGreaterThan(0)
    for (const payload of recorded) {
      const { names, hasCommit } = await projectOf(payload)
      const other = await projectOf(payload, true)
      const response = await deliver(event, payload)
      expect([response.status, await response.text()]).toEqual([202, '{"status":"accepted"}'])
      const expected = (effects[event] ?? []).filter(
        (effect) => effect !== 'commit' || hasCommit || event === 'repository',
      )
      expect(await soon(names), JSON.stringify(payload)).toEqual(expected)
      expect(await soon(other.names)).toEqual([])
      await forget()
    }
  },
)

test('events with an effect are among the recorded ones', () => {
  expect(examples.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(effects)))
})
