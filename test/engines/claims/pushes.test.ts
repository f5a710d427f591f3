/** @module-tag git */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { git } from '../../embedded/github/git-client.ts'
import { directoryForFile } from '../../embedded/support.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

let market: TestMarket
let folder: string
beforeAll(async () => {
  market = await createTestMarket({ git: true, databaseLoops: true })
  folder = await directoryForFile()
})

/** A claimant with a clone of its own. */
async function cloned() {
  const [bounty, claimant] = [await market.openBounty(), await market.register()]
  const { project } = bounty
  const issued = await fetch(`${new URL(project.repo_url).origin}/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${claimant.key}` },
  })
  const { token } = (await issued.json()) as { token: string }
  const clone = join(folder, claimant.id)
  const run = async (...args: string[]) => {
    const { code, output } = await git(folder, args, token)
    expect(code, output).toBe(0)
  }
  await run('clone', '-q', project.repo_url, clone)
  let files = 0
  const commit = async () => {
    await writeFile(join(clone, `${++files}.txt`), claimant.id)
    await run('-C', clone, 'add', '.')
    await run('-C', clone, 'commit', '-q', '-m', 'Begin')
  }
  const push = (branch: string, from = 'HEAD') =>
    run('-C', clone, 'push', '-q', '-f', 'origin', `${from}:refs/heads/${claimant.id}/${branch}`)
  const claimOf = async ({ id }: { id: string }) =>
    (await market.api('GET', `/api/bounties/${id}/claim`, { key: claimant.key })).body.claim
  const act = (verb: string, { id }: { id: string } = bounty) => market.act({ id }, verb, claimant)
  return {
    bounty,
    project,
    claimant,
    run: (...args: string[]) => run('-C', clone, ...args),
    commit,
    push,
    claimOf,
    act,
  }
}

test('a push proves a claim within seconds, without a pull request; only another commit extends it, and no other branch', async () => {
  const { bounty, project, commit, push, claimOf, act } = await cloned()
  await act('claim')
  expect((await claimOf(bounty)).proof_due_at).not.toBeNull()
  expectError(await act('extend'), 'no_progress')
  await commit()
  await push('work')
  await until(async () => (await claimOf(bounty)).proof_due_at === null)
  expectError(await act('extend'), 'no_progress')
  await commit()
  await push('work')
  expect((await act('extend')).status).toBe(200)
  // Neither that of another branch, nor the earlier one.
  await push('again')
  expectError(await act('extend'), 'no_progress')
  await push('work', 'HEAD~1')
  expectError(await act('extend'), 'no_progress')
  const other = await market.claimedBounty({ project })
  expect((await market.act(other, 'extend', other.claimant)).status).toBe(409)
})

test('neither a branch from before the claim proves it, nor the default branch, an empty commit or what an earlier claim showed', async () => {
  const { bounty, project, commit, push, run, act, claimOf } = await cloned()
  await push('main')
  await commit()
  await push('early')
  expect((await act('claim')).status).toBe(200)
  await run('checkout', '-q', 'origin/main')
  await push('main-again')
  await run('commit', '-q', '--allow-empty', '-m', 'Nothing')
  await push('nothing')
  expectError(await act('extend'), 'no_progress')
  expect((await claimOf(bounty)).proof_due_at).not.toBeNull()
  await commit()
  await push('work')
  await until(async () => (await claimOf(bounty)).proof_due_at === null)
  await commit()
  await push('work')
  expect((await act('extend')).status).toBe(200)
  await act('release')
  const next = await market.openBounty({ project })
  expect((await act('claim', next)).status).toBe(200)
  expectError(await act('extend', next), 'no_progress')
})
