import { expect, test } from 'vitest'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { isoTime } from '../../support/values.ts'

const market = await createTestMarket()

const fields = { name: 'Calculator', description: 'Counts.', token_symbol: 'CALC', token_supply: 1_000_000 }

test('200 without activation fields while proposed', async () => {
  const { id, founder } = await market.proposedProject()
  const { status, body } = await market.api('GET', `/api/projects/${id}`)
  expect(status).toBe(200)
  expect(body).toEqual({
    project: { id, ...fields, status: 'proposed', founder_id: founder.id, created_at: isoTime },
  })
})

test('200 with repository, token and curve once active', async () => {
  const { id, founder, repo_url, token_address, curve_address } = await market.activeProject()
  const { body } = await market.api('GET', `/api/projects/${id}`)
  expect(body).toEqual({
    project: {
      id,
      ...fields,
      status: 'active',
      founder_id: founder.id,
      created_at: isoTime,
      repo_url,
      token_address,
      curve_address,
    },
  })
})

test.each(['proj_00000000000000000000', 'bnt_00000000000000000000', 'x', '%27', '🦀'])(
  '404 project_not_found for %s',
  async (id) => {
    expectError(await market.api('GET', `/api/projects/${id}`), 'project_not_found')
  },
)

test('400 validation_failed for an id no id can be', async () => {
  expectInvalid(await market.api('GET', `/api/projects/${'x'.repeat(201)}`), 'id')
})
