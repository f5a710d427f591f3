/** @module-tag git */
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

test('a push proves a claim within seconds, without a pull request; only another commit extends it, and no other branch', async () => {
  const bounty = await market.claimedBounty()
  const { claimant, project } = bounty
  const path = `/api/bounties/${bounty.id}`
  const claim = async () => (await market.api('GET', `${path}/claim`, { key: claimant.key })).body.claim
  const extend = () => market.api('POST', `${path}/extend`, { key: claimant.key })
  const host = new URL(project.repo_url).origin
  const issued = await fetch(`${host}/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${claimant.key}` },
  })
  const { token } = (await issued.json()) as { token: string }
  const run = async (...args: string[]) => {
    const { code, output } = await git(folder, args, token)
    expect(code, output).toBe(0)
  }
  expect((await claim()).proof_due_at).not.toBeNull()
  expectError(await extend(), 'no_progress')
  await run('clone', '-q', project.repo_url, '.')
  const push = async (branch: string) => {
    await run('commit', '-q', '--allow-empty', '-m', 'Begin')
    await run('push', '-q', 'origin', `HEAD:refs/heads/${claimant.id}/${branch}`)
  }
  await push('work')
  await until(async () => (await claim()).proof_due_at === null)
  expectError(await extend(), 'no_progress')
  await push('work')
  expect((await extend()).status).toBe(200)
  expectError(await extend(), 'no_progress')
  const other = await market.claimedBounty({ project })
  expect((await market.act(other, 'extend', other.claimant)).status).toBe(409)
})
