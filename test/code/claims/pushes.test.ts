/** @module-tag git */
import { beforeAll, expect, test } from 'vitest'
import { directoryForFile } from '../../embedded/support.ts'
import { cloned } from '../../support/claimants.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

let market: TestMarket
let folder: string
beforeAll(async () => {
  market = await createTestMarket({ git: true, databaseLoops: true })
  folder = await directoryForFile()
})

const newClaimant = () => cloned(market, folder)

test('a push proves a claim within seconds, without a pull request; only another commit extends it, and no other branch', async () => {
  const { bounty, project, commit, push, claimOf, act } = await newClaimant()
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
  const { bounty, project, commit, push, run, act, claimOf } = await newClaimant()
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
