import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePullRequestOfHost, parsePullRequestUrl } from '../../../server/code/host/pull-request-url.ts'

const repoUrl = 'https://github.com/Acme/rocket-1a2b'
const canonical = { owner: 'Acme', repository: 'rocket-1a2b', number: 7, url: `${repoUrl}/pull/7` }

describe('is this pull request of the repository', () => {
  test.each([
    ['as GitHub prints it', 'https://github.com/Acme/rocket-1a2b/pull/7'],
    ['other letter case', 'HTTPS://GitHub.com/aCME/Rocket-1A2B/pull/7'],
    ['trailing slash', 'https://github.com/Acme/rocket-1a2b/pull/7/'],
    ['files tab', 'https://github.com/Acme/rocket-1a2b/pull/7/files'],
    ['files tab with query', 'https://github.com/Acme/rocket-1a2b/pull/7/files?diff=split&w=1'],
    ['commit in the commits tab', 'https://github.com/Acme/rocket-1a2b/pull/7/commits/0123abc'],
    ['checks tab', 'https://github.com/Acme/rocket-1a2b/pull/7/checks'],
    ['fragment', 'https://github.com/Acme/rocket-1a2b/pull/7#issuecomment-12'],
    ['fragment after a slash', 'https://github.com/Acme/rocket-1a2b/pull/7/#discussion_r1'],
    ['default port', 'https://github.com:443/Acme/rocket-1a2b/pull/7'],
    ['without encryption', 'http://github.com/Acme/rocket-1a2b/pull/7'],
  ])('yes: %s', (_, url) => {
    expect(parsePullRequestUrl(repoUrl, url)).toEqual(canonical)
  })

  test.each([
    ['empty', ''],
    ['no address', 'pull/7'],
    ['another scheme', 'ftp://github.com/Acme/rocket-1a2b/pull/7'],
    ['a script', 'javascript:alert(1)//github.com/Acme/rocket-1a2b/pull/7'],
    ['another host', 'https://gitlab.com/Acme/rocket-1a2b/pull/7'],
    ['a host that ends alike', 'https://evilgithub.com/Acme/rocket-1a2b/pull/7'],
    ['a host that begins alike', 'https://github.com.evil.com/Acme/rocket-1a2b/pull/7'],
    ['another port', 'https://github.com:8443/Acme/rocket-1a2b/pull/7'],
    ['credentials', 'https://user:secret@github.com/Acme/rocket-1a2b/pull/7'],
    ['a host behind credentials', 'https://github.com@evil.com/Acme/rocket-1a2b/pull/7'],
    ['another owner', 'https://github.com/Other/rocket-1a2b/pull/7'],
    ['another repository', 'https://github.com/Acme/rocket-1a2b-2/pull/7'],
    ['a repository that begins alike', 'https://github.com/Acme/rocket-1a2/pull/7'],
    ['the way up', 'https://github.com/Acme/rocket-1a2b/pull/7/../../../other/pull/8'],
    ['an encoded way up', 'https://github.com/Acme/rocket-1a2b/pull/7/%2e%2e/%2e%2e/%2e%2e/other/pull/8'],
    ['an encoded slash', 'https://github.com/Acme%2Frocket-1a2b/pull/7'],
    ['an issue', 'https://github.com/Acme/rocket-1a2b/issues/7'],
    ['the REST address', 'https://github.com/Acme/rocket-1a2b/pulls/7'],
    ['capital P', 'https://github.com/Acme/rocket-1a2b/Pull/7'],
    ['no number', 'https://github.com/Acme/rocket-1a2b/pull/'],
    ['number 0', 'https://github.com/Acme/rocket-1a2b/pull/0'],
    ['leading zero', 'https://github.com/Acme/rocket-1a2b/pull/07'],
    ['negative', 'https://github.com/Acme/rocket-1a2b/pull/-7'],
    ['exponent', 'https://github.com/Acme/rocket-1a2b/pull/7e1'],
    ['too large', 'https://github.com/Acme/rocket-1a2b/pull/2147483648'],
    ['far too large', `https://github.com/Acme/rocket-1a2b/pull/${'9'.repeat(400)}`],
    ['digits of another script', 'https://github.com/Acme/rocket-1a2b/pull/７'],
    ['a patch', 'https://github.com/Acme/rocket-1a2b/pull/7.patch'],
    ['an unknown tab', 'https://github.com/Acme/rocket-1a2b/pull/7/merge'],
    ['leading blank', ' https://github.com/Acme/rocket-1a2b/pull/7'],
    ['trailing line end', 'https://github.com/Acme/rocket-1a2b/pull/7\n'],
    ['a tab inside', 'https://github.com/Acme/rocket-1a2b/pull/\t7'],
    ['backslashes', 'https:\\\\github.com\\Acme\\rocket-1a2b\\pull\\7'],
    ['double slash', 'https://github.com//Acme/rocket-1a2b/pull/7'],
    ['a NUL', 'https://github.com/Acme/rocket-1a2b/pull/7\0'],
  ])('no: %s', (_, url) => {
    expect(parsePullRequestUrl(repoUrl, url)).toBeNull()
  })
})

test('an address with a port and a repository below a path keep both', () => {
  const local = 'http://127.0.0.1:3001/acme/rocket'
  expect(parsePullRequestUrl(local, `${local}/pull/1`)?.url).toBe(`${local}/pull/1`)
  expect(parsePullRequestUrl(local, 'http://127.0.0.1:3002/acme/rocket/pull/1')).toBeNull()
  const nested = 'https://git.example.com/github/acme/rocket/'
  expect(parsePullRequestUrl(nested, `${nested}pull/1`)).toEqual({
    owner: 'acme',
    repository: 'rocket',
    number: 1,
    url: 'https://git.example.com/github/acme/rocket/pull/1',
  })
})

test('an accepted address becomes canonical, and the canonical address is accepted unchanged', () => {
  const tail = fc.constantFrom('', '/', '/files', '/commits/abc', '#x', '?a=b', '/files/?a#b', '/checks//')
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), tail, fc.boolean(), (number, rest, upper) => {
      const url = `https://github.com/${upper ? 'ACME' : 'acme'}/rocket-1a2b/pull/${number}${rest}`
      const parsed = parsePullRequestUrl(repoUrl, url)
      expect(parsed?.url).toBe(`${repoUrl}/pull/${number}`)
      expect(parsePullRequestUrl(repoUrl, parsed!.url)).toEqual(parsed)
    }),
  )
})

test('no text makes it throw or name another repository', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (text) => {
      expect(parsePullRequestUrl(repoUrl, text)).toBeNull()
    }),
  )
})

describe('a pull request of the host', () => {
  test.each([
    [
      'another name',
      repoUrl,
      'https://github.com/New/name.js/pull/7/files',
      'https://github.com/New/name.js',
    ],
    ['below a path', 'https://x.org/git/Acme/r', 'https://x.org/git/New/n/pull/7', 'https://x.org/git/New/n'],
  ])('yes: %s', (_, known, url, found) => {
    const [owner, repository] = found.split('/').slice(-2)
    expect(parsePullRequestOfHost(known, url)).toEqual({
      owner,
      repository,
      number: 7,
      url: `${found}/pull/7`,
    })
  })

  test.each([
    ['another host', 'https://evil.com/New/name/pull/7'],
    ['another host below which the name is', 'https://evil.com/github.com/New/name/pull/7'],
    ['a longer path', 'https://github.com/api/New/name/pull/7'],
    ['the way up', 'https://github.com/New/%2e%2e/pull/7'],
    ['an encoded name', 'https://github.com/New/na%2Fme/pull/7'],
    ['no name', 'https://github.com/pull/7'],
    ['no address', 'New/name/pull/7'],
  ])('no: %s', (_, url) => {
    expect(parsePullRequestOfHost(repoUrl, url)).toBeNull()
  })
})
