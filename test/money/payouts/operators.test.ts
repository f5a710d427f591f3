import { encodeFunctionData, getAddress, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { administer } from '../../../server/money/chain/deploy/administer.ts'
import { platformWallet } from '../../../server/money/chain/generated/contracts.ts'
import { noteAlarms } from '../../support/alarms.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { reviewsOn } from './support/reviews.ts'

const alarms = noteAlarms()

function operatorsOf({ chain, services }: TestMarket) {
  const { operators } = services.chain.require()
  const set = (index: number, allowed: boolean) => {
    const { abi } = platformWallet
    const args = [operators[index]!.address, allowed] as const
    const data = encodeFunctionData({ abi, functionName: 'setOperator', args })
    return chain.send(chain.owner, { to: chain.platformWallet, data })
  }
  const isReported = (index: number) =>
    alarms.some(
      ({ kind, lane }) => kind === 'operator_removed' && lane === operators[index]!.address.toLowerCase(),
    )
  return { set, isReported }
}

test('payouts go to the other operator keys while one has lost its right, which an alarm reports', async () => {
  const market = await createTestMarket({ operators: 2 })
  const { approve, isDone } = reviewsOn(market)
  const { set, isReported } = operatorsOf(market)
  const project = await market.activeProject()
  await set(0, false)
  while (!isReported(0)) {
    const bounty = await market.bountyInReview({ project })
    expect((await approve(bounty)).status).toBe(200)
    expect(await isDone(bounty)).toBe(true)
  }
  expect(isReported(1)).toBe(false)
})

test('a key without ETH keeps no payout and no activation from the other one', async () => {
  const market = await createTestMarket({ operators: 2 })
  const { approve } = reviewsOn(market)
  const [empty] = market.services.chain.require().operators
  await market.chain.node.setBalance({ address: empty!.address, value: 0n })
  const projects = await Promise.all(Array.from({ length: 6 }, () => market.activeProject()))
  const bounties = await Promise.all(projects.map((project) => market.bountyInReview({ project })))
  const approved = await Promise.all(bounties.map((bounty) => approve(bounty)))
  expect(approved.map(({ status }) => status)).toEqual(Array(6).fill(200))
})

/** An approval on a market whose only key has lost its right, once that is reported. */
async function approvedWithoutKey() {
  const market = await createTestMarket()
  const { approve } = reviewsOn(market)
  const { set, isReported } = operatorsOf(market)
  const bounty = await market.bountyInReview()
  await set(0, false)
  const approval = approve(bounty)
  await until(() => isReported(0))
  return { market, bounty, approve, approval, set }
}

test('without any key that may pay, a payout waits and fails no approval; it is paid once when a key has its right again', async () => {
  const { market, approval, set } = await approvedWithoutKey()
  expect(await market.chain.payments()).toEqual([])
  await set(0, true)
  expect((await approval).status).toBe(200)
  expect(await market.chain.payments()).toHaveLength(1)
})

test('after ten minutes without such a key the approval ends, names the rule, and calls the operator; then it is paid once', async () => {
  const { market, bounty, approve, approval, set } = await approvedWithoutKey()
  const begun_at = new Date(Date.now() - 601_000)
  await setRows(market.db, 'payouts', { submission_id: bounty.submissionId }, { begun_at })
  const refused = await approval
  expectError(refused, 'payout_failed')
  expect(refused.body.error.message).toContain('NotOperator')
  await until(() =>
    alarms.some(({ kind, entityId }) => kind === 'payout_refused' && entityId === bounty.submissionId),
  )
  await set(0, true)
  expect((await approve(bounty)).status).toBe(200)
  expect(await market.chain.payments()).toHaveLength(1)
})

test('a key is stolen: paused, removed, left out of the settings and resumed, in the order of the manual; then the other key pays', async () => {
  const market = await createTestMarket({ operators: 2 })
  const { chain } = market
  const [stolen, kept] = chain.operatorKeys as [Hex, Hex]
  const run = (words: string, keys: Record<string, string>) => {
    const PLATFORM_WALLET_ADDRESS = chain.platformWallet
    const settings = { CHAIN_RPC_URL: chain.rpcUrl, CHAIN_ID: '31337', PLATFORM_WALLET_ADDRESS, ...keys }
    return administer(settings, words.split(' '), () => undefined)
  }
  const bounty = await market.bountyInReview()
  expect(await run('pause', { OPERATOR_PRIVATE_KEYS: kept })).toBe(true)
  expectError(await reviewsOn(market).approve(bounty), 'payouts_disabled')
  const owned = { OWNER_PRIVATE_KEY: chain.owner.privateKey }
  expect(await run(`remove-operator ${privateKeyToAddress(stolen)}`, owned)).toBe(true)
  await market.stopEngines()
  const restarted = await createTestMarket({ sharing: market, settings: { OPERATOR_PRIVATE_KEYS: kept } })
  expect(await run('unpause', owned)).toBe(true)
  const { status, body } = await reviewsOn(restarted).approve(bounty)
  expect(status).toBe(200)
  const { from } = await chain.node.getTransaction({ hash: body.contributor_tx_hash })
  expect(getAddress(from)).toBe(privateKeyToAddress(kept))
  expect(await chain.payments()).toHaveLength(1)
})
