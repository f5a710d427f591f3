import { expect, test } from 'vitest'
import { localDollar } from '../../../server/embedded/chain/dollar.ts'
import { relaySettings } from '../../money/relays/support/relays.ts'
import { dollarsOn } from '../../support/dollars.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'

const market = await createTestMarket({ settings: relaySettings })
const dollars = dollarsOn(market)
const { project, owner } = await dollars.ownProject()
const open = () => market.openBounty({ project })

test('200 with none, and for the founder with what the own wallet has to sign', async () => {
  const bounty = await open()
  const before = Math.floor(Date.now() / 1000)
  const { dollars: shown, to_sign } = await dollars.read(bounty, '20.5')
  expect(shown).toEqual({
    bounty_id: bounty.id,
    amount: null,
    status: 'none',
    locked_until: null,
    expires_soon: false,
    fund_tx: null,
    end_tx: null,
    error_code: null,
  })
  expect(to_sign).toMatchObject({
    primaryType: 'ReceiveWithAuthorization',
    domain: { name: 'USD Coin', version: '2', chainId: 31_337, verifyingContract: localDollar },
    message: { from: owner.address, to: market.chain.platformWallet, value: '20500000', validAfter: '0' },
  })
  expect(Number(to_sign.message.validBefore)).toBeGreaterThanOrEqual(before + 900)
})

test('200 with nothing to sign for others, without an amount, for a managed wallet, and once the bounty is claimed', async () => {
  const bounty = await open()
  const other = await market.register()
  expect((await dollars.read({ ...bounty, founder: other }, '20')).to_sign).toBeNull()
  expect((await dollars.read(bounty)).to_sign).toBeNull()
  expect((await dollars.read(await market.openBounty(), '20')).to_sign).toBeNull()
  expect((await dollars.read(await market.claimedBounty({ project }), '20')).to_sign).toBeNull()
})

test('200 with a lock that may end before work on it is paid', async () => {
  const bounty = await open()
  await dollars.lock(bounty, await dollars.signed(bounty, owner))
  await until(dollars.is(bounty, 'locked'))
  expect((await dollars.read(bounty)).dollars.expires_soon).toBe(false)
  // 72 hours of a claim, as much for its extensions, 7 days of a review and 7 more.
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000)
  const lastUntil = async (days: number) => {
    await setRows(market.db, 'deposits', { bounty_id: bounty.id }, { locked_until: soon(days) })
    return (await dollars.read(bounty)).dollars.expires_soon
  }
  expect([await lastUntil(19.9), await lastUntil(20.1)]).toEqual([true, false])
})

test('200 for a cancelled bounty that has a deposit', async () => {
  const bounty = await open()
  await dollars.lock(bounty, await dollars.signed(bounty, owner))
  await until(dollars.is(bounty, 'locked'))
  await market.act(bounty, 'cancel', bounty.founder)
  expect((await dollars.read(bounty)).dollars.amount).toBe('20')
})

test('409 dollars_unavailable where there is no coin', async () => {
  const without = await createTestMarket({ dollars: false })
  const bounty = await without.openBounty()
  const response = await without.api('GET', `/api/bounties/${bounty.id}/dollars`, { key: bounty.founder.key })
  expectError(response, 'dollars_unavailable')
})
