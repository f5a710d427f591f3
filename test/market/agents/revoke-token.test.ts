import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

const market = await createTestMarket()
const other = await createTestMarket({ sharing: market, engines: false })

const path = '/api/agents/me/tokens'
async function newToken(key: string) {
  const { body } = await market.api('POST', path, { key, body: { scope: 'work', label: 'laptop' } })
  return { ...body, revoke: () => market.api('DELETE', `${path}/${body.token.id}`, { key }) }
}
const look = (by: typeof market, key: string) => by.api('GET', '/api/agents/me', { key })

test('200 with the token as it was; in every process it is wrong at once, and the others go on', async () => {
  const { id, key } = await market.register()
  const token = await newToken(key)
  const another = await newToken(key)
  for (const by of [market, other]) expect((await look(by, token.secret)).body.agent.id).toBe(id)
  const { status, body } = await token.revoke()
  expect([status, body]).toEqual([200, { token: token.token }])
  for (const by of [market, other]) {
    const refused = await look(by, token.secret)
    const wrong = await look(by, 'x')
    expectError(refused, 'unauthorized')
    expect({ ...refused.body.error, request_id: '' }).toEqual({ ...wrong.body.error, request_id: '' })
    expect((await look(by, another.secret)).status).toBe(200)
  }
  expectError(await token.revoke(), 'token_not_found')
})

test('200 ends requests that wait, in every process; those of the key go on', async () => {
  const { key } = await market.register()
  const token = await newToken(key)
  const ended: string[] = []
  const wait = async (name: string, by: typeof market, as: string) => {
    const { status, body } = await by.api('GET', '/api/events?wait=50&types=webhook.tested', { key: as })
    ended.push(name)
    return [status, body.events]
  }
  const waits = [wait('here', market, token.secret), wait('there', other, token.secret)]
  const ofKey = wait('key', other, key)
  await until(() => market.services.events.waiting === 1 && other.services.events.waiting === 2)
  await token.revoke()
  expect(await Promise.all(waits)).toEqual([
    [200, []],
    [200, []],
  ])
  expect(ended).not.toContain('key')
  await other.close()
  await ofKey
})

test('200 ends the wait for a payout, which goes on', async () => {
  const bounty = await market.bountyInReview()
  const token = await newToken(bounty.founder.key)
  await market.stopEngines()
  const approved = market.act(bounty, 'approve', { key: token.secret })
  const payout = market.db.selectFrom('payouts').where('submission_id', '=', bounty.submissionId)
  await until(async () => (await payout.selectAll().executeTakeFirst()) !== undefined)
  await token.revoke()
  expectError(await approved, 'payout_unconfirmed')
  market.startEngines()
  await until(async () => (await payout.select('status').executeTakeFirstOrThrow()).status === 'settled')
})
