import { describe, expect, test } from 'vitest'
import { filesOf } from '../../../server/code/host/diff.ts'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { createCodeHostProxy, type HostResponse } from '../../support/code-host-proxy.ts'

const edit = (path: string, lines: string) =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n${lines}\n`

test('files have their paths, counts and lines', () => {
  expect(filesOf(edit('a.md', '-old\n+new\n+more') + edit('b c.md\t', ' same'))).toEqual([
    { path: 'a.md', additions: 2, deletions: 1, patch: '@@ -1 +1 @@\n-old\n+new\n+more' },
    { path: 'b c.md', additions: 0, deletions: 0, patch: '@@ -1 +1 @@\n same' },
  ])
  expect(filesOf('')).toEqual([])
})

test.each([
  ['new file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x', 'x'],
  ['deleted file mode 100644\nindex 1..0\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x', 'x'],
  ['similarity index 100%\nrename from x\nrename to y', 'y'],
  ['old mode 100644\nnew mode 100755', 'x'],
  ['index 1..2 100644\nBinary files a/x and b/x differ', 'x'],
])('what is more than text is said: %j', (rest, path) => {
  const [file] = filesOf(`diff --git a/x b/x\n${rest}\n`) ?? []
  expect(file?.path).toBe(path)
  for (const line of rest.split('\n'))
    if (!/^(index|---|\+\+\+)/.test(line)) expect(file?.patch).toContain(line)
})

test.each(['\r', '\u2028', '\u2029', '\v'])('a line cannot begin another file after %j', (end) => {
  const hidden = `+safe${end}diff --git a/evil b/evil${end}@@ -1 +1 @@`
  expect(filesOf(edit('a', hidden))).toEqual([
    { path: 'a', additions: 1, deletions: 0, patch: `@@ -1 +1 @@\n${hidden}` },
  ])
})

test('what is too large is left out and keeps its counts; too many files are not shown', () => {
  const lines = Array.from({ length: 5000 }, () => '+123456789').join('\n')
  expect(filesOf(edit('big', lines) + edit('small', '+1'))).toMatchObject([
    { path: 'big', additions: 5000, patch: null },
    { path: 'small', patch: '@@ -1 +1 @@\n+1' },
  ])
  expect(filesOf(Array.from({ length: 301 }, (_, index) => edit(`f${index}`, '+1')).join(''))).toBeNull()
})

describe('of a pull request', () => {
  const head = 'a'.repeat(40)
  const sent = (type: string, body: unknown): HostResponse => ({
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8` },
    body,
  })
  const diff = sent('application/vnd.github.v3.diff', edit('a.md', '+new'))
  const pullOf = (changed_files: number) => sent('application/json', { head: { sha: head }, changed_files })
  const pull = pullOf(1)
  const page = '<!DOCTYPE html><html><title>Sign in</title></html>'

  async function read(asDiff: HostResponse, asJson = pull) {
    const host = await createCodeHostProxy('http://127.0.0.1:9/api/v3')
    host.respond = ({ headers }) => (headers.accept?.includes('diff') ? asDiff : asJson)
    const repositories = createRepositories({
      apiUrl: host.apiUrl,
      organization: 'acme',
      auth: { token: 'ghp_secret' },
      log: { warn() {} },
    })
    const address = { owner: 'acme', repository: 'rocket', number: 7 }
    return repositories.readDiff(address, 5000).finally(host.close)
  }

  test.each(['application/vnd.github.v3.diff', 'application/vnd.github.diff', 'text/plain'])(
    'sent as %s: its files',
    async (type) => {
      const files = [{ path: 'a.md', additions: 1, deletions: 0, patch: '@@ -1 +1 @@\n+new' }]
      expect(await read(sent(type, edit('a.md', '+new')))).toEqual({ headSha: head, files })
      expect(await read(sent(type, ''), pullOf(0))).toEqual({ headSha: head, files: [] })
    },
  )

  test.each<[string, HostResponse, HostResponse?]>([
    ["a proxy's page", sent('text/html', page)],
    ["a proxy's page that is empty", sent('text/html', '')],
    ["a proxy's page as text", sent('text/plain', page)],
    ['the pull request itself', pull],
    ['a page in place of the pull request', diff, sent('text/html', page)],
    ['a pull request without a commit', diff, sent('application/json', { head: null })],
    ['fewer files than have changed', diff, pullOf(2)],
    ['none though one has changed', sent('text/plain', '')],
    ['one that breaks off in a line', sent('text/plain', edit('a.md', '+new').slice(0, -2))],
  ])('unavailable for %s', async (_, asDiff, asJson) => {
    await expect(read(asDiff, asJson)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('no files of one that is too large for the host, undefined of none', async () => {
    const without = (status: number): HostResponse => ({ status, body: { message: 'No' } })
    expect(await read(without(406))).toEqual({ headSha: head, files: null })
    expect(await read(without(404))).toBeUndefined()
    expect(await read(diff, without(404))).toBeUndefined()
  })
})
