import { type Address, encodeFunctionData, type Hex, parseSignature } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { inTransaction } from '../../../server/db/transaction.ts'
import { edges } from '../../../server/lifecycle/edges.ts'
import { move } from '../../../server/lifecycle/move.ts'
import { projectToken } from '../../../server/money/chain/generated/contracts.ts'
import { payoutIdOf } from '../../../server/money/chain/on-chain-ids.ts'
import { tokenUnit } from '../../../server/money/chain/units.ts'
import { noDollars } from '../../../server/money/payouts/dollars.ts'
import { getPayout, storePayout, type Terms } from '../../../server/money/payouts/store.ts'
import { confirmRelay, reopenRelay } from '../../../server/money/relays/settle.ts'
import { type Confirmation, findSettlement } from '../../../server/money/relays/settlement.ts'
import { listRunning } from '../../../server/money/relays/store.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { whileUncommitted } from '../../support/row-locks.ts'
import type { ActiveProject } from '../../support/scenarios.ts'
import { setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { relaySettings, relaysOn } from './support/relays.ts'

const market = await createTestMarket({ settings: { ...relaySettings, APPROVE_WAIT_SECONDS: '1' } })
const { chain } = market
const { node } = chain
const relays = relaysOn(market)
afterEach(() => node.setAutomine(true))

const path = (project: ActiveProject) => `/api/projects/${project.id}/allowance`
const set = (project: ActiveProject, amount: string) =>
  market.api('POST', path(project), { key: project.founder.key, body: { amount } })
const read = async (project: ActiveProject) =>
  (await market.api('GET', path(project), { key: project.founder.key })).body.allowance
const allowanceOf = async (project: ActiveProject) =>
  (await market.api('GET', `/api/projects/${project.id}/approval-status`, { key: project.founder.key })).body
    .allowance

const approve = ({ id, founder }: { id: string; founder: { key: string } }) =>
  market.act({ id }, 'approve', founder, {})

const isPaid = (bounty: { submissionId: string }) => async () => {
  const find = market.db.selectFrom('payouts').select('status')
  return (
    (await find.where('submission_id', '=', bounty.submissionId).executeTakeFirst())?.status === 'settled'
  )
}

/** The chain has lost the transaction that confirmed a relay. */
async function takeBack(id: string) {
  const { tx_hash } = await relays.rowOf(id)
  await inTransaction(market.db, (trx) => reopenRelay(trx, id, [tx_hash as Hex]))
  expect((await relays.rowOf(id)).status).toBe('running')
}

/** A change of the allowance that was stored while nothing sends it. */
async function stored(amount = '150000') {
  market.startEngines()
  const project = await market.activeProject()
  await market.stopEngines()
  const { status, body } = await set(project, amount)
  expect(status).toBe(201)
  return { project, id: body.allowance.id as string }
}

test('the funding shows the new allowance when the change is confirmed', async () => {
  const { project, id } = await stored()
  expect(await read(project)).toMatchObject({ id, amount: '150000', status: 'queued', tx_hash: null })
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  expect(await allowanceOf(project)).toBe('150000')
  const { tx_hash } = await read(project)
  expect((await node.getTransactionReceipt({ hash: tx_hash })).status).toBe('success')
})

test('somebody else sends the permit: confirmed with that transaction, and ours is not sent', async () => {
  const { project, id } = await stored()
  const hash = await relays.relayFromOutside(id)
  market.startEngines()
  await relays.finalise()
  await until(relays.is(id, 'confirmed'))
  expect(await read(project)).toMatchObject({ tx_hash: hash, status: 'confirmed' })
  await until(async () => (await relays.transactionOf(id)).status === 'refused')
  expect(await allowanceOf(project)).toBe('150000')
})

test('a payout that was approved after a permit was signed waits for it, so that it is not approved once more', async () => {
  market.startEngines()
  const bounty = await market.bountyInReview()
  const { project } = bounty
  await market.stopEngines()
  const { id } = (await set(project, '100000')).body.allowance
  await approve(bounty)
  await relays.sendUnmined()
  await until(async () => (await relays.transactionOf(bounty.submissionId)).error !== null)
  expect((await relays.transactionOf(id)).nonce).not.toBeNull()
  expect((await relays.transactionOf(bounty.submissionId)).nonce).toBeNull()
  await node.setAutomine(true)
  await node.mine({ blocks: 1 })
  await until(relays.is(id, 'confirmed'))
  await until(isPaid(bounty))
  // 100 tokens were paid after the permit was mined.
  expect(await allowanceOf(project)).toBe('99900')
  expect(await chain.balanceOf(project.token_address, bounty.founder.wallet_address as string)).toBe(
    99_900n * tokenUnit,
  )
})

test('a payout waits no longer than its permit is valid, which is 5 minutes', async () => {
  market.startEngines()
  const bounty = await market.bountyInReview()
  await market.stopEngines()
  const { id, expires_at } = (await set(bounty.project, '100000')).body.allowance
  const { timestamp } = await node.getBlock()
  const now = Math.max(Number(timestamp) * 1000, Date.now())
  expect(Date.parse(expires_at)).toBeLessThanOrEqual(now + 300_000)
  await approve(bounty)
  await relays.expire()
  await relays.finalise()
  market.startEngines()
  await until(isPaid(bounty))
  expect((await relays.rowOf(id)).error_code).toBe('authorization_expired')
})

test('201 beside a payout that waits for a person and of which nothing can be mined any more', async () => {
  market.startEngines()
  const bounty = await market.bountyInReview()
  await market.stopEngines()
  await approve(bounty)
  const { db } = market
  await setRows(db, 'payouts', { submission_id: bounty.submissionId }, { status: 'needs_operator' })
  expectError(await set(bounty.project, '150000'), 'payout_in_progress')
  await setRows(db, 'transactions', { entity_id: bounty.submissionId }, { status: 'refused' })
  expect((await set(bounty.project, '150000')).status).toBe(201)
})

test('a payout waits for a confirmed permit again when a reorganisation has taken its transaction back', async () => {
  const { project, id } = await stored()
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  const bounty = await market.bountyInReview({ project })
  await until(async () => (await relays.transactionOf(id)).status === 'confirmed')
  await market.stopEngines()
  await approve(bounty)
  const waits = async () => (await getPayout(market.db, bounty.submissionId)).permitIsRunning
  expect(await waits()).toBe(false)
  const gone = {
    status: 'unconfirmed' as const,
    mined_hash: null,
    block_number: null,
    block_hash: null,
    is_final: false,
  }
  await market.db.updateTable('transactions').set(gone).where('entity_id', '=', id).execute()
  expect(await waits()).toBe(true)
  market.startEngines()
  await until(isPaid(bounty))
})

test('409 payout_in_progress for a payout that was not committed yet when the change was asked for', async () => {
  market.startEngines()
  const { id: bountyId, submissionId, project, founder, claimant } = await market.bountyInReview()
  await market.stopEngines()
  const wallet = claimant.wallet_address as Address
  const terms = {
    submissionId,
    payoutId: payoutIdOf(31_337, bountyId),
    chainId: 31_337,
    amount: 99n,
    fee: 1n,
    to: wallet,
    platformWallet: chain.platformWallet,
    token: project.token_address,
    from: founder.wallet_address,
    ...noDollars,
  } as Terms
  const changed = await whileUncommitted(
    market.db,
    async (trx) => {
      await move(trx, edges.approve, { id: bountyId, caller: founder.id })
      await storePayout(trx, terms, {})
    },
    () => set(project, '150000'),
  )
  expectError(changed, 'payout_in_progress')
})

test('the exported key uses the nonce for another permit: failed authorization_replaced when it has expired', async () => {
  const { project, id } = await stored()
  const owner = await relays.exported(project.founder)
  const token = project.token_address as Address
  const spender = chain.owner.address
  const value = 1n
  const deadline = 2n ** 63n
  const signature = await owner.signTypedData({
    domain: { name: 'Calculator', version: '1', chainId: 31_337, verifyingContract: token },
    types: {
      Permit: ['address owner', 'address spender', 'uint256 value', 'uint256 nonce', 'uint256 deadline'].map(
        (field) => {
          const [type = '', name = ''] = field.split(' ')
          return { name, type }
        },
      ),
    },
    primaryType: 'Permit',
    message: { owner: owner.address, spender, value, nonce: 0n, deadline },
  } as never)
  const { r, s, yParity } = parseSignature(signature)
  const args = [owner.address, spender, value, deadline, yParity + 27, r, s] as const
  const data = encodeFunctionData({ abi: projectToken.abi, functionName: 'permit', args })
  await chain.send(await chain.fundedAccount(), { to: token, data })
  market.startEngines()
  await relays.finalise()
  await until(async () => (await relays.transactionOf(id)).error !== null)
  expect((await relays.rowOf(id)).status).toBe('running')
  await relays.expire()
  await relays.finalise()
  await until(relays.is(id, 'failed'))
  expect((await read(project)).error.code).toBe('authorization_replaced')
  expect(await allowanceOf(project)).toBe('100000')
})

test('a node leaves out the log of a permit that somebody else has sent: the allowance says that it is confirmed', async () => {
  const { project, id } = await stored()
  const used = await relays.relayFromOutside(id)
  const { client } = market.services.chain.require()
  const forgetful = Object.assign(Object.create(client), { getContractEvents: async () => [] })
  const [{ relay } = {}] = (await listRunning(market.db, 31_337)).filter((one) => one.relay.id === id)
  const head = Number(await node.getBlockNumber())
  const settlement = (finalTime: number, amount = relay!.amount) =>
    findSettlement(forgetful, { ...relay!, amount }, { head, counted: head, final: head }, finalTime)
  expect(await settlement(relay!.validBefore - 1)).toBeUndefined()
  const confirmed = await settlement(relay!.validBefore)
  expect(confirmed).toMatchObject({ status: 'confirmed', hash: null })
  expect(await settlement(relay!.validBefore, 1n)).toEqual({
    status: 'failed',
    code: 'authorization_replaced',
  })
  const beforeUse = { head, counted: head, final: head - 1 }
  expect(await findSettlement(forgetful, relay!, beforeUse, relay!.validBefore)).toMatchObject({
    status: 'failed',
  })
  const confirm = (hash: Hex | null) =>
    inTransaction(market.db, (trx) => confirmRelay(trx, id, { ...(confirmed as Confirmation), hash }))
  await confirm(null)
  expect(await read(project)).toMatchObject({ status: 'confirmed', tx_hash: null, error: null })
  // What another process has found is not stored over it.
  await confirm(used)
  expect(await read(project)).toMatchObject({ status: 'confirmed', tx_hash: null })
})

test('a reorganisation moves a permit below the block at which it was signed: its transaction is found, not an earlier one', async () => {
  const { project, id: earlier } = await stored()
  await relays.relayFromOutside(earlier)
  market.startEngines()
  await relays.finalise()
  await until(relays.is(earlier, 'confirmed'))
  await market.stopEngines()
  const { id } = (await set(project, '150000')).body.allowance
  const hash = await relays.relayFromOutside(id)
  await node.mine({ blocks: 7 })
  const { client } = market.services.chain.require()
  const [{ relay } = {}] = (await listRunning(market.db, 31_337)).filter((one) => one.relay.id === id)
  const head = Number(await node.getBlockNumber())
  const depth = { head, counted: head, final: head - 12 }
  for (const headBlock of [relay!.headBlock, relay!.headBlock + 2])
    expect(
      await findSettlement(client, { ...relay!, headBlock }, { ...depth, final: head - 6 }, 0),
    ).toMatchObject({ status: 'confirmed', hash })
  // Its use is not final yet.
  expect(await findSettlement(client, relay!, depth, 0)).toBeUndefined()
})

test('a permit that the chain takes back runs again beside the next one, which is still the only change', async () => {
  const { project, id } = await stored()
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  await market.stopEngines()
  const next = (await set(project, '160000')).body.allowance.id
  await takeBack(id)
  expect([await relays.rowOf(id), await relays.rowOf(next)].map(({ status }) => status)).toEqual([
    'running',
    'running',
  ])
  expectError(await set(project, '170000'), 'allowance_in_progress')
  market.startEngines()
  await until(relays.is(next, 'confirmed'))
  await relays.finalise()
  await until(relays.is(id, 'confirmed'))
  expect(await allowanceOf(project)).toBe('160000')
})

test('a permit that the chain has taken back does not stop the next one', async () => {
  const { project, id } = await stored()
  market.startEngines()
  await until(relays.is(id, 'confirmed'))
  await market.stopEngines()
  await takeBack(id)
  expect((await set(project, '170000')).status).toBe(201)
})

test('expired and never sent: failed, and the next change gets the same nonce', async () => {
  const { project, id } = await stored()
  await relays.expire()
  await relays.finalise()
  market.startEngines()
  await until(relays.is(id, 'failed'))
  expect((await read(project)).error.code).toBe('authorization_expired')
  const next = (await set(project, '160000')).body.allowance.id
  await until(relays.is(next, 'confirmed'))
  expect((await relays.rowOf(next)).nonce).toBe((await relays.rowOf(id)).nonce)
  expect(await allowanceOf(project)).toBe('160000')
})
