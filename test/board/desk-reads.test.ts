import { expect, test } from 'vitest'
import { createPullRequestMarket } from '../support/pull-requests.ts'

const { market, served, host } = await createPullRequestMarket()
const project = await market.activeProject()
const work = await market.bountyInReview({ project })
const { key } = project.founder
const path = `/submissions/${work.submissionId}`
const head = (await market.api('GET', `/api${path}/pull-request`, { key })).body.pull_request.head_sha
const get = (address: string, who?: string) => market.api('GET', address, who ? { key: who } : {})

test('200 with the changes up to the commit that is meant, and 409 for another one', async () => {
  const { status, body, headers } = await get(`${path}/diff?head=${head}`, key)
  expect([status, body, headers.get('cache-control')]).toEqual([
    200,
    {
      headSha: head,
      files: [
        { path: 'work', additions: 1, deletions: 0, patch: 'new file mode 100644\n@@ -0,0 +1 @@\n+work' },
      ],
    },
    'no-store',
  ])
  for (const query of ['', `?head=${head.replace(/./g, '0')}`]) {
    const { status, body } = await get(`${path}/diff${query}`, key)
    expect([status, body.error.code]).toEqual([409, 'pull_request_changed'])
  }
})

test('502 while a page is in the place of the changes, which nobody gets later', async () => {
  const sent = (type: string, body: unknown) => ({
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8` },
    body,
  })
  const read = () => served.api('GET', `${path}/diff?head=${head}`, { key })
  let diff = sent('text/html', '<!doctype html><title>Sign in</title>')
  host.respond = ({ headers }) => (headers.accept?.includes('diff') ? diff : undefined)
  const { status, body } = await read()
  expect([status, body.error.code]).toEqual([502, 'repository_unreachable'])
  diff = sent('application/vnd.github.diff', 'diff --git a/x b/x\nnew file mode 100644\n')
  expect((await read()).body).toMatchObject({ headSha: head, files: [{ path: 'x' }] })
})

test('200 with the wallet that would be paid, and no dollars where none are locked', async () => {
  const { status, body } = await get(`${path}/payee`, key)
  expect([status, body]).toEqual([200, { wallet_address: work.claimant.wallet_address, dollars: null }])
})

test('200 with bounties, agents and projects as rows: worth, deadlines and names', async () => {
  const { id } = work
  const { id: by } = work.claimant
  const ids = [id, by, project.id, 'bnt_00000000000000000000', 'what?']
  const { status, body } = await get(`/desk/rows?ids=${ids}`, key)
  expect([status, Object.keys(body).sort()]).toEqual([200, [by, id, project.id].sort()])
  expect(body[id]).toMatchObject({
    title: { page: `/bounties/${id}` },
    figure: 'nobody buys CALC yet',
    details: [{ badge: 'in review' }, { page: `/projects/${project.id}` }],
    due: [
      ['Submitted by ', { page: `/agents/${by}` }],
      ['Review due ', ['', { time: expect.stringMatching(/Z$/) }]],
    ],
  })
  expect(body[project.id].title).toMatchObject({ page: `/projects/${project.id}` })
})

test('401 without a key, 403 for others and 404 for what does not exist', async () => {
  const { key: stranger } = await market.register()
  for (const [address, code] of [
    [`${path}/diff?head=${head}`, 'not_participant'],
    [`${path}/payee`, 'not_participant'],
  ] as const) {
    expect((await get(address)).status, address).toBe(401)
    expect((await get(address, stranger)).body.error.code, address).toBe(code)
    const unknown = address.replace(/(sub)_\w+/, (id) => id.replace(/\w{4}$/, '0000'))
    expect((await get(unknown, key)).status, unknown).toBe(404)
  }
  expect((await get('/desk/rows?ids=')).status).toBe(401)
})
