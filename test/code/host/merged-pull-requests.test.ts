import { expect, test } from 'vitest'
import { newId } from '../../../server/ids.ts'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import { address, head, missing, openPullRequestScene, path, pull } from './pull-request-scene.ts'

const { embedded, except, host, read, repositories, serve } = await openPullRequestScene()

test('one that was merged into another branch is merged', async () => {
  serve({
    state: 'closed',
    merged: true,
    merged_at: '2026-11-01T09:00:00Z',
    merged_by: { id: 4 },
    base: { ref: 'next', repo: { id: 42, default_branch: 'main' } },
  })
  const reading = await repositories.readPullRequest(address)
  const merged = { state: 'closed', merged: true, merged_by_itself: true, merged_by_id: 4 }
  expect(reading?.facts).toMatchObject({ ...merged, base_ref: 'next', into_default: false })
})

test.each(['compare', 'commits'])(
  'merged a moment ago, while its commit is still 404 below /%s: nothing is known',
  async (part) => {
    serve({ state: 'closed', merged: true, merged_at: new Date().toISOString(), merged_by: { id: 4 } })
    host.contained.add(head)
    except(`/${part}/`, missing)
    await expect(read()).rejects.toMatchObject({ retryable: expect.any(Boolean) })
  },
)

const created_at = '2026-11-01T10:00:00Z'
const mergedByOther = { state: 'closed', merged: true, merged_by: { id: 4 } }
const byOther = { number: 8, user: { id: 10 }, created_at }
const merged6 = { number: 6, user: { id: 9 }, created_at, merged_at: created_at }
const agent = newId('agent')
const branch = branchFor(agent, newId('bounty'))

test.each<[string, boolean, unknown[], boolean, number?]>([
  ['a commit of its own', false, [byOther], true],
  ['nothing: it was set back to a commit of the default branch', true, [], false, 0],
  ['its own commits', true, [{ number: 7, user: { id: 9 }, created_at }], true],
  [
    'its own commits, which its author has in another one, too',
    true,
    [{ number: 6, user: { id: 9 }, created_at }],
    true,
  ],
  ['commits that are in one of another account, too', true, [byOther], false],
  [
    'commits that another one of its author has brought, which may undo them',
    true,
    [{ number: 6, user: { id: 9 }, created_at, merged_at: created_at }],
    false,
  ],
  [
    'its own commit, which is the newest one of another one for the same bounty that was merged with it',
    true,
    [{ ...merged6, head: { ref: `${branch}-2`, sha: head } }],
    true,
  ],
  [
    'a commit that another one for the same bounty has something behind',
    true,
    [{ ...merged6, head: { ref: `${branch}-2`, sha: 'b'.repeat(40) } }],
    false,
  ],
  [
    'a commit that is the newest one of another one for another bounty, too',
    true,
    [{ ...merged6, head: { ref: branchFor(agent, newId('bounty')), sha: head } }],
    false,
  ],
  [
    'a commit that is the newest one of another account, which names the same bounty, too',
    true,
    [{ ...merged6, user: { id: 10 }, head: { ref: branch, sha: head } }],
    false,
  ],
  [
    'commits that are in more pull requests than are listed',
    true,
    Array.from({ length: 300 }, () => ({ number: 6, user: { id: 9 }, created_at })),
    false,
  ],
  ['commits that are in one of a deleted account, too', true, [{ number: 8, user: null, created_at }], false],
])('it is merged by %s', async (_, isContained, alsoIn, isItself, changed_files = 1) => {
  const ours = { ref: branch, sha: head, repo: { id: 5 } }
  serve({ state: 'closed', merged: true, merged_by: { id: 4 }, changed_files, head: ours })
  if (isContained) host.contained.add(head)
  host.alsoIn.set(head, alsoIn as (typeof byOther)[])
  expect((await read()).facts).toMatchObject({ merged: true, merged_by_itself: isItself, merged_by_id: 4 })
})

const inRepository = (id: number) => ({ base: { repo: { id } } })

test.each([
  ['its own', [], true],
  ["another account's, too", [byOther], false],
  ["its own, which a pull request of somebody's fork has, too", [{ ...byOther, ...inRepository(99) }], true],
  ['its own, which one of a fork that was deleted has, too', [{ ...byOther, base: { repo: null } }], true],
  ["another account's in this repository, too", [{ ...byOther, ...inRepository(42) }], false],
])('a push to another branch than the default one has merged %s', async (_, alsoIn, isItself) => {
  serve({ ...mergedByOther, base: { ref: 'next', repo: { id: 42, default_branch: 'main' } } })
  except(`/compare/${'f'.repeat(40)}...`, () => ({ status: 200, body: { status: 'behind' } }))
  host.alsoIn.set(head, alsoIn)
  expect((await read()).facts).toMatchObject({ merged: true, merged_by_itself: isItself })
})

test.each([
  ['the embedded code host, where that agent alone pushes to it', embedded, false],
  ['GitHub, where who may write does', repositories, true],
])(
  "a branch that another agent's id names has the commit, at %s",
  async (_, { readPullRequest }, isItself) => {
    serve(mergedByOther)
    host.contained.add(head)
    const body = [{ ref: 'refs/heads/agent_2/bnt_1', object: { sha: head } }]
    except('/matching-refs/', () => ({ status: 200, body }))
    expect((await readPullRequest(address))?.facts).toMatchObject({ merged_by_itself: isItself })
  },
)

test.each([
  ['the branch that it was merged into', { ref: 'next', sha: head, repo: { id: 42 } }, true],
  ['a branch of that name in a fork', { ref: 'next', sha: head, repo: { id: 5 } }, false],
  ['another branch', { ref: 'other', sha: head, repo: { id: 42 } }, false],
])('its commits are in a pull request of another account, too, from %s', async (_, from, isItself) => {
  serve({ ...mergedByOther, base: { ref: 'next', repo: { id: 42, default_branch: 'main' } } })
  except(`/compare/${'f'.repeat(40)}...`, () => ({ status: 200, body: { status: 'behind' } }))
  host.alsoIn.set(head, [{ ...byOther, ...inRepository(42), head: from } as typeof byOther])
  expect((await read()).facts).toMatchObject({ merged: true, merged_by_itself: isItself })
})

test('what changes nothing is not merged by itself, whichever branch it went into', async () => {
  serve({ ...mergedByOther, changed_files: 0 })
  expect((await read()).facts).toMatchObject({ merged: true, merged_by_itself: false })
})

test.each<[string, string, object | null, string, boolean]>([
  ['its own: agents share identities', 'who may not write there', { id: 81_847 }, 'read', true],
  ['not its own: a branch may have had it before', 'who may write there', { id: 4 }, 'write', false],
  ['its own', 'who opened it and may write there', { id: 9 }, 'write', true],
  ['its own', 'of no account', null, 'write', true],
])('a commit is %s, whose author is one %s', async (_, __, account, permission, isItself) => {
  serve({ state: 'closed', merged: true, merged_by: { id: 4 } })
  host.contained.add(head)
  const author = account && { ...account, login: 'grace' }
  except('/commits?', () => ({ status: 200, body: [{ sha: head, author }] }))
  except('/collaborators/grace/permission', () => ({ status: 200, body: { permission } }))
  expect((await read()).facts).toMatchObject({ merged: true, merged_by_itself: isItself })
})

const opener = { id: 9, login: 'ada' }
const writer = { id: 4, login: 'grace' }
const update = { author: writer, parents: [{}, {}] }

test.each<[string, boolean, object[]]>([
  ["its opener's work, and an update of the branch by a writer", true, [{ author: opener }, update]],
  ['work of no account, and such an update', true, [{ author: null, parents: [{}] }, update]],
  ["a writer's work, and such an update", false, [{ author: writer, parents: [{}] }, update]],
  ["a writer's work alone", false, [{ author: writer, parents: [{}] }]],
  ['more commits than are looked at', false, Array(100).fill({ author: opener })],
])('whose newest commit a writer made: %s; it is merged by itself: %s', async (_, isItself, commits) => {
  serve(mergedByOther)
  host.contained.add(head)
  const newest = commits.length < 100 ? commits.at(-1) : update
  except('/commits?', (asked) => ({ status: 200, body: asked.includes('/pulls/7/') ? commits : [newest] }))
  except('/collaborators/grace/permission', () => ({ status: 200, body: { permission: 'admin' } }))
  expect((await read()).facts).toMatchObject({ merged: true, merged_by_itself: isItself })
})

test("the number of a fork's pull request says nothing of this one: the list still lacks it", async () => {
  serve({ ...mergedByOther, merged_at: new Date().toISOString() })
  host.contained.add(head)
  const ofFork = { ...byOther, ...inRepository(99), number: 7 }
  except(`/commits/${head}/pulls`, () => ({ status: 200, body: [ofFork] }))
  await expect(read()).rejects.toMatchObject({ kind: 'unavailable' })
})

test('a list from whose first page the host has left something out goes on', async () => {
  serve(mergedByOther)
  host.contained.add(head)
  const link = '<https://github.test/next>; rel="next"'
  except(`/commits/${head}/pulls`, (asked) =>
    asked.endsWith('page=2')
      ? { status: 200, body: [byOther] }
      : { status: 200, headers: { link }, body: [{ ...byOther, number: 7 }] },
  )
  expect((await read()).facts).toMatchObject({ merged_by_itself: false })
})

test('a pull request that was opened once this one was merged has not brought its commits', async () => {
  serve(mergedByOther)
  host.contained.add(head)
  const release = { ...byOther, created_at: '2026-11-01T10:01:01Z', merged_at: '2026-11-01T10:05:00Z' }
  host.alsoIn.set(head, [release])
  expect((await read()).facts).toMatchObject({ merged_by_itself: true })
})

test('a merge that the list of pull requests with its commit lacks: nothing is known for an hour', async () => {
  host.contained.add(head)
  const merged = { state: 'closed', merged: true, merged_by: { id: 4 } }
  serve({ ...merged, merged_at: new Date().toISOString() })
  await expect(read()).rejects.toMatchObject({ kind: 'unavailable' })
  serve({ ...merged, merged_at: new Date(Date.now() - 3_700_000).toISOString() })
  expect((await read()).facts).toMatchObject({ merged_by_itself: true })
})

test('what was submitted is merged once the default branch has it, whatever the host calls it', async () => {
  const sha = 'b'.repeat(40)
  const submitted = { sha, seenAt: new Date() }
  for (const state of ['open', 'closed']) {
    serve({ state })
    host.contained.clear()
    const before = await repositories.readPullRequest(address, { submitted })
    expect(before).toMatchObject({ isEmpty: false, facts: { state, merged: false, head_sha: head } })
    host.contained.add(sha)
    const after = await repositories.readPullRequest(address, { known: before, submitted })
    expect(after).toMatchObject({
      isEmpty: false,
      facts: {
        state: 'closed',
        merged: true,
        merged_by_itself: true,
        merged_by_id: null,
        head_sha: sha,
      },
    })
    expect(after?.facts.merged_at?.getTime()).toBeGreaterThan(Date.now() - 60_000)
  }
})

const merged_at = '2026-11-01T12:00:00Z'

test.each<[string, string, string | null, string | null, boolean, number?]>([
  ['after', 'unmerged', null, null, true],
  ['before', 'unmerged', null, null, false],
  ['after', 'merged, while the host does not call this one so', merged_at, null, true],
  ['before', 'merged, while the host does not call this one so', merged_at, null, false],
  ['after', 'merged by the same push', '2026-11-01T11:59:50Z', merged_at, true],
  ['before', 'merged by the same push', '2026-11-01T12:00:00Z', merged_at, false],
  ['after', 'merged before', '2026-11-01T11:58:00Z', merged_at, false],
  ['after', 'unmerged, with 150 more of them', null, merged_at, true, 151],
])(
  "another account's pull request, opened %s the commit was seen, and %s",
  async (order, _, itsMerge, thisMerge, isItself, length = 1) => {
    serve(thisMerge === null ? {} : { ...mergedByOther, merged_at: thisMerge })
    host.contained.add(head)
    host.alsoIn.set(head, Array(length).fill({ ...byOther, merged_at: itsMerge }))
    const seenAt = new Date(order === 'after' ? '2026-11-01T09:58:59Z' : '2026-11-01T10:00:01Z')
    const reading = await repositories.readPullRequest(address, { submitted: { sha: head, seenAt } })
    expect(reading?.facts).toMatchObject({ merged: true, merged_by_itself: isItself })
  },
)

test('newer commits than what was submitted are merged where they were seen outside of the default branch, which has them now', async () => {
  const submitted = { sha: 'b'.repeat(40), seenAt: new Date() }
  serve({ state: 'closed' })
  const before = await repositories.readPullRequest(address, { submitted })
  host.contained.add(head)
  const after = await repositories.readPullRequest(address, { known: before, submitted })
  expect(after?.facts).toMatchObject({ merged: true, merged_by_itself: true, head_sha: head })
  // It may have been set back to a commit of that branch.
  const first = await repositories.readPullRequest(address, { submitted })
  const second = await repositories.readPullRequest(address, { known: first, submitted })
  expect([first, second]).toMatchObject(Array(2).fill({ isEmpty: false, facts: { merged: false } }))
})

test('one whose newest commit the default branch had before is empty, not merged', async () => {
  serve()
  host.contained.add(head)
  expect(await read()).toMatchObject({ isEmpty: true, facts: { state: 'open', merged: false } })
})

test.each([true, false])(
  'where the host does not finish the list of files, it says all the same whether it has the commit: %s',
  async (isContained) => {
    serve()
    if (isContained) host.contained.add(head)
    const message = 'Server Error: Sorry, this diff is taking too long to generate.'
    except('/compare/', (path) => (path.includes('page=2') ? undefined : { status: 500, body: { message } }))
    expect(await read()).toMatchObject({ isEmpty: isContained, facts: { state: 'open', merged: false } })
  },
)

test.each([500, 404])('a host that then responds %i says nothing', async (status) => {
  serve()
  except('/compare/', (path) => ({ status: path.includes('page=2') ? status : 500, body: {} }))
  await expect(read()).rejects.toMatchObject({ kind: 'unavailable' })
})

test('a merge whose commit the host does not have yet is sent again until it has', async () => {
  const body = pull({ state: 'closed', merged: true })
  let hasCommit = false
  host.respond = ({ path: asked, headers }) => {
    if (asked.includes('/compare/') && !hasCommit) return missing()
    if (asked !== path) return undefined
    return headers['if-none-match'] ? { status: 304 } : { status: 200, headers: { etag: '"m"' }, body }
  }
  const first = await read()
  expect(first.facts).toMatchObject({ merged: true, merged_by_itself: false })
  hasCommit = true
  const second = (await repositories.readPullRequest(address, { known: first }))!
  expect(second.facts).toMatchObject({ merged: true, merged_by_itself: true })
  expect(await repositories.readPullRequest(address, { known: second })).toEqual(second)
})

test('a merged one has the commit that merged it', async () => {
  serve({ state: 'closed', merged: true, merged_at: '2026-11-01T10:00:00Z', mergeable: null })
  expect((await read()).facts).toMatchObject({
    merged_at: new Date(Date.UTC(2026, 10, 1, 10)),
    state: 'closed',
    merged: true,
    merge_commit_sha: 'f'.repeat(40),
    mergeable: null,
  })
})

// Later versions of GitHub's interface leave the field out.

test.each([null, undefined])('a merged one whose merge commit is %s', async (merge_commit_sha) => {
  serve({ state: 'closed', merged: true, merge_commit_sha })
  expect((await read()).facts).toMatchObject({
    merged: true,
    merge_commit_sha: null,
    merged_by_itself: true,
  })
})

test('what was known to be merged by itself stays so where the host no longer compares its commit', async () => {
  serve({ state: 'closed', merged: true, merged_by: { id: 4 } })
  const known = await read()
  expect(known.facts).toMatchObject({ merged_by_itself: true })
  except('/compare/', missing)
  const again = await repositories.readPullRequest(address, { known: { ...known, cache: {} } })
  expect(again?.facts).toMatchObject({ merged: true, merged_by_itself: true })
  expect((await read()).facts).toMatchObject({ merged: true, merged_by_itself: false })
})
