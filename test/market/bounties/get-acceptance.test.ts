import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { setRows } from '../../support/stored.ts'

const market = await createTestMarket()
const { db } = market
const project = await market.activeProject()
const { key } = await market.register()
const posted_by = { kind: 'app', id: 15_368, name: 'github-actions' }
const acceptance = { checks: [{ name: 'test', posted_by }], allowed_paths: ['src/**'], hours: 72 }
const get = ({ id }: { id: string }) => market.api('GET', `/api/bounties/${id}/acceptance`, { key })

test('200 before anything was submitted: it waits, and no check has run', async () => {
  const bounty = await market.openBounty({ project })
  await setRows(db, 'bounties', { id: bounty.id }, { acceptance })
  const { status, body } = await get(bounty)
  expect(status).toBe(200)
  expect(body).toEqual({
    acceptance: {
      ...acceptance,
      checks: [{ name: 'test', posted_by, state: 'missing' }],
      state: 'waiting',
      accepts_at: null,
      head_sha: null,
      reason: null,
    },
  })
})

test('200 with what the last look has found, and paid once the bounty is done', async () => {
  const bounty = await market.bountyInReview({ project })
  await setRows(db, 'bounties', { id: bounty.id }, { acceptance })
  const head_sha = 'a'.repeat(40)
  const accepts_at = new Date('2100-01-02T03:04:05Z')
  const look = { head_sha, reason: null, mark: '1', passed: null, since: '2026-11-01T00:00:00Z' }
  const seen = { ...look, state: 'running', checks: ['success'], isSaid: false, isHeldUp: false }
  const columns = { acceptance_seen: seen, accepts_at, accepts_sha: head_sha }
  await setRows(db, 'submissions', { id: bounty.submissionId }, columns)
  const running = { state: 'running', accepts_at: accepts_at.toISOString(), head_sha, reason: null }
  expect((await get(bounty)).body.acceptance).toMatchObject({ ...running, checks: [{ state: 'success' }] })
  const approved = await market.act(bounty, 'approve', bounty.founder, {})
  expect(approved.status).toBe(200)
  expect((await get(bounty)).body.acceptance).toMatchObject({ state: 'paid', accepts_at: null, reason: null })
})

test('404 acceptance_not_found without a rule', async () => {
  expectError(await get(await market.openBounty({ project })), 'acceptance_not_found')
})
