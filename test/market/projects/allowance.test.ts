import { expect, test } from 'vitest'
import { relaySettings, relaysOn } from '../../money/relays/support/relays.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

const market = await createTestMarket({ settings: relaySettings })
const relays = relaysOn(market)

const path = ({ id }: { id: string }) => `/api/projects/${id}/allowance`
const get = (project: { id: string }, key?: string) => market.api('GET', path(project), { key })

test('200 with the latest change', async () => {
  const project = await market.activeProject()
  const { key } = project.founder
  for (const amount of ['150000', '120000']) {
    const { id } = (await market.api('POST', path(project), { key, body: { amount } })).body.allowance
    await until(relays.is(id, 'confirmed'))
    const { body } = await get(project, key)
    expect(body.allowance).toMatchObject({ status: 'confirmed', id, amount })
  }
  expect((await get(project, key)).status).toBe(200)
})

test('404 allowance_not_found before the first change', async () => {
  const project = await market.proposedProject()
  expectError(await get(project, project.founder.key), 'allowance_not_found')
})
