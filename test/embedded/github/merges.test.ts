/** @module-tag git */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { base, clone, git, pull, startWithPull } from './git-client.ts'
import { descriptions } from './support.ts'

test('a commit is merged by its hash, whatever became of its branch; a conflict is 409', async () => {
  const { call, asAda, work, sha, address } = await startWithPull()
  const compare = async (head: string) => {
    const { status, body } = await call('GET', `${base}/compare/main...${head}`)
    const { ahead_by, behind_by, files } = body
    const names = files?.map(({ filename }: { filename: string }) => filename)
    return status === 200 ? [body.status, ahead_by, behind_by, names] : status
  }
  expect(await compare(sha)).toEqual(['ahead', 1, 0, ['README.md', 'wings.txt']])
  expect(await compare('main')).toEqual(['identical', 0, 0, []])
  expect(await compare('0'.repeat(40))).toBe(404)
  const merges = `${base}/merges`
  const mergeSha = { base: 'main', head: sha, commit_message: 'Wings\n\nBounty: bnt_1' }
  expect(descriptions['github.com'].requestProblems('POST', merges, mergeSha)).toEqual([])
  expect((await asAda('POST', merges, mergeSha)).status).toBe(403)

  await work.gitAll(['checkout', '-q', '-B', 'other', 'origin/main'])
  const rival = await work.commit({ 'README.md': '# rocket\nStays\n' }, 'Stay')
  for (const newest of ['HEAD', sha, 'HEAD'])
    expect(await work.push(`+${newest}:refs/heads/agent_ada/wings`)).toMatchObject({ code: 0 })
  expect(await work.push(':refs/heads/agent_ada/wings')).toMatchObject({ code: 0 })
  // The next push waits until the space of the deleted branch is free.
  expect(await work.push('HEAD:refs/heads/agent_ada/next')).toMatchObject({ code: 0 })

  const merged = await call('POST', merges, mergeSha)
  expect([merged.status, merged.body.parents.map((parent: { sha: string }) => parent.sha)[1]]).toEqual([
    201,
    sha,
  ])
  expect((await call('POST', merges, mergeSha)).status).toBe(204)
  expect(await compare(sha)).toEqual(['behind', 0, 1, []])
  expect(await compare(rival)).toEqual(['diverged', 1, 2, ['README.md']])
  for (const [commit, numbers] of [
    [sha, []],
    [rival, [1]],
  ] as const) {
    const { body } = await call('GET', `${base}/commits/${commit}/pulls`)
    expect(body.map(({ number }: { number: number }) => number)).toEqual(numbers)
  }
  const after = await clone(address)
  expect(await after.gitAll(['show', 'HEAD:wings.txt'])).toBe('one\ntwo')
  expect(await after.gitAll(['log', '--format=%H %s', '-1'])).toBe(`${merged.body.sha} Wings`)

  const conflict = await call('POST', merges, { ...mergeSha, head: rival })
  expect([conflict.status, conflict.body.message]).toEqual([409, 'Merge conflict'])
  for (const wrong of [
    { head: '0'.repeat(40) },
    { head: 'a\0' },
    { head: 'a'.repeat(300_000) },
    { base: 'other' },
  ])
    expect((await call('POST', merges, { ...mergeSha, ...wrong })).status).toBe(404)
})

test('what a merge without its pull request brings to main is merged, with its changes; a branch that is set back to main is closed', async () => {
  const { call, ada, asAda, work, sha, address } = await startWithPull()
  const pullOf = async (number: number) => (await call('GET', `${base}/pulls/${number}`)).body
  expect((await call('POST', `${base}/merges`, { base: 'main', head: sha })).status).toBe(201)
  expect(await pullOf(1)).toMatchObject({ state: 'closed', merged: true, changed_files: 2, head: { sha } })

  const later = await clone(address, ada)
  await later.commit({ 'tail.txt': 'one' })
  expect(await later.push('HEAD:refs/heads/agent_ada/tail')).toMatchObject({ code: 0 })
  expect((await asAda('POST', `${base}/pulls`, { ...pull, head: 'agent_ada/tail' })).status).toBe(201)
  expect(await later.push('+HEAD~1:refs/heads/agent_ada/tail')).toMatchObject({ code: 0 })
  expect(await work.push('HEAD:refs/heads/agent_ada/other')).toMatchObject({ code: 0 })
  expect(await pullOf(2)).toMatchObject({ state: 'closed', merged: false, merged_at: null })
})

test('nobody can make the commit of a merge before it, and it belongs to the pull request that was merged', async () => {
  const { call, ada, sha, address, asAda } = await startWithPull()
  const long = { merge_method: 'squash', sha, commit_message: 'x'.repeat(100_000) }
  expect((await call('PUT', `${base}/pulls/1/merge`, long)).status).toBe(422)
  const squashed = await call('PUT', `${base}/pulls/1/merge`, { merge_method: 'squash', sha })
  const later = await clone(address, ada)
  const tail = await later.commit({ 'tail.txt': 'one' })
  expect(await later.push('HEAD:refs/heads/agent_ada/tail')).toMatchObject({ code: 0 })
  expect((await asAda('POST', `${base}/pulls`, { ...pull, head: 'agent_ada/tail' })).status).toBe(201)
  const merged = await call('POST', `${base}/merges`, { base: 'main', head: tail })
  expect([squashed.status, merged.status]).toEqual([200, 201])

  const after = await clone(address)
  expect(await after.git('fsck', '--strict')).toMatchObject({ code: 0, output: '' })
  const { directory } = after
  const checked = ['-c', 'fetch.fsckObjects=true', 'clone', '--quiet', address, 'checked']
  expect(await git(directory, checked)).toMatchObject({ code: 0, output: '' })
  for (const commit of [squashed.body.sha, merged.body.sha]) {
    const format = 'tree %T%nPARENTS%nauthor %an <%ae> %at +0000%ncommitter %cn <%ce> %ct +0000%n%n%B'
    const known = await after.gitAll(['log', '-1', `--format=${format}`, commit])
    const parents = await after.gitAll(['log', '-1', '--format=parent %P', commit])
    const content = known.replace('PARENTS', parents.replace(/(?<=\w{40}) /g, '\nparent '))
    await writeFile(join(directory, 'foreseen'), content)
    const foreseen = await after.gitAll(['hash-object', '-t', 'commit', '-w', 'foreseen'])
    expect(await after.gitAll(['log', '-1', '--format=%T %P %an %cI %s', foreseen])).toBe(
      await after.gitAll(['log', '-1', '--format=%T %P %an %cI %s', commit]),
    )
    expect(foreseen).not.toBe(commit)
  }
  const pullsOf = async (commit: string) =>
    (await call('GET', `${base}/commits/${commit}/pulls`)).body.map(
      ({ number }: { number: number }) => number,
    )
  expect(await pullsOf(squashed.body.sha)).toContain(1)
  expect(await pullsOf(merged.body.sha)).toEqual([2])
})
