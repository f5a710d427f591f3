import { expect, test } from 'vitest'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { createCodeHostProxy } from '../../support/code-host-proxy.ts'

const host = await createCodeHostProxy('http://127.0.0.1:9/api/v3')
const repositories = createRepositories({
  apiUrl: host.apiUrl,
  webUrl: 'https://host.example',
  organization: 'acme',
  auth: { token: 'ghp_secret' },
  timeoutMs: 5000,
  log: { warn() {} },
})

test('a list of pull requests that does not end is read as far as its tenth page: anybody can open a thousand, which locks no review', async () => {
  const pull = {
    number: 7,
    state: 'open',
    updated_at: new Date().toISOString(),
    head: { ref: 'weeks', sha: 'a'.repeat(40) },
    base: { repo: { id: 42 } },
  }
  const link = `<${host.apiUrl}/repos/acme/rocket/pulls?page=2>; rel="next"`
  host.respond = () => ({ status: 200, headers: { link }, body: [pull] })
  const repository = { owner: 'acme', repository: 'rocket', id: 42 }
  expect(await repositories.readWork(repository, { since: new Date(0) })).toHaveLength(10)
})

test('what moves to the first page while the pages are read is found', async () => {
  const pull = (number: number) => ({
    number,
    state: 'open',
    updated_at: new Date().toISOString(),
    head: { ref: `branch-${number}`, sha: 'a'.repeat(40) },
    base: { repo: { id: 42 } },
  })
  const others = Array.from({ length: 150 }, (_, index) => pull(index + 1))
  const work = pull(1000)
  host.respond = ({ path }) => {
    const page = Number(new URLSearchParams(path.split('?')[1]).get('page'))
    // Somebody comments on it after the first page is sent.
    const isFirst = host.requests.length === 1
    const body = isFirst ? [...others, work] : [work, ...others]
    return { status: 200, body: body.slice(100 * (page - 1), 100 * page) }
  }
  host.requests.length = 0
  const repository = { owner: 'acme', repository: 'rocket', id: 42 }
  const found = await repositories.readWork(repository, { since: new Date(0) })
  expect(found.map(({ number }) => number)).toContain(1000)
})
