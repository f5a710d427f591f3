import { execFile } from 'node:child_process'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { relaySettings, relaysOn } from '../../money/relays/support/relays.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { built } from '../support/service.ts'

const market = await createTestMarket({
  proxied: true,
  settings: { ...relaySettings, APPROVE_WAIT_SECONDS: '1' },
})

/** The command as an operator runs it, against the market's database and chain. */
async function payouts(...words: string[]): Promise<{ status: number; output: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: market.databaseUrl,
    CHAIN_RPC_URL: market.chain.rpcUrl,
    OPERATOR_PRIVATE_KEYS: market.chain.operatorKeys.join(),
  }
  const [program = '', ...args] = [...(await built('ops/payouts/cli')), ...words]
  return new Promise((resolve) => {
    const child = execFile(program, args, { env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}

test('status 0: nothing is unresolved', async () => {
  await market.doneBounty()
  expect(await payouts('list')).toEqual({
    status: 0,
    output: expect.stringMatching(/^Nothing is unresolved/),
  })
})

test('a payout on its way is listed with age, attempts, last error and next step, and not retried', async () => {
  const bounty = await market.bountyInReview()
  await market.stopEngines()
  await market.api('POST', `/api/bounties/${bounty.id}/approve`, { key: bounty.founder.key, body: {} })
  const listed = await payouts('list')
  expect(listed.output).toMatch(
    new RegExp(`^${bounty.submissionId}  payout running, \\d+ s old, 0 attempts\\n  next step   nothing: `),
  )
  expect(listed.status).toBe(0)
  const retried = await payouts('retry', bounty.submissionId)
  expect(retried).toEqual({
    status: 1,
    output: 'Nothing was changed: it is running and does not wait for a person.\n',
  })
  market.startEngines()
  await until(async () => (await payouts('list')).output.startsWith('Nothing is unresolved'))
  const shown = await payouts('show', bounty.submissionId)
  expect(shown.output).toContain(`${bounty.submissionId}  payout settled (submission approved)`)
  expect(shown.output).toMatch(/transaction \d+ confirmed, key 0x[0-9a-f]{40}, nonce \d+, block \d+/)
})

test('a withdrawal whose nonce was used by another transaction is listed, retried and made', async () => {
  const { chain, chainProxy, db } = market
  const relays = relaysOn(market)
  const project = await market.activeProject()
  const agent = await relays.holder(project)
  chainProxy.refuse(({ method }) => (method === 'eth_sendRawTransaction' ? 'no peers' : undefined))
  const { id } = (await relays.withdraw(agent, project)).body.withdrawal
  await until(async () => (await relays.transactionOf(id)).nonce !== null)
  const keys = chain.operatorKeys.map((key) => privateKeyToAccount(key as `0x${string}`))
  const { from_address } = await relays.transactionOf(id)
  const key = keys.find(({ address }) => address.toLowerCase() === from_address)
  if (!key) throw new Error('no operator key has taken the withdrawal')
  await chain.send(key, { to: key.address, data: '0x' })
  // All but the last of the searches for a receipt, which take their time.
  await db
    .updateTable('transactions')
    .set({ receipt_checks: 7, updated_at: new Date(0) })
    .where('entity_id', '=', id)
    .execute()
  await until(async () => (await relays.transactionOf(id)).status === 'needs_operator')
  chainProxy.refuse()
  expect((await payouts('list')).output).toMatch(
    new RegExp(`^${id}  withdrawal running, .*\\n.*\\n  next step   npm run payouts -- retry ${id}\\n$`),
  )
  expect(await payouts('retry', id)).toEqual({
    status: 0,
    output:
      'Taken up again: none of its transactions can be mined any more; its signature is sent again, ' +
      'unless the chain has used it or it has expired.\n',
  })
  await until(relays.is(id, 'confirmed'))
  expect(await payouts('list')).toEqual({
    status: 0,
    output: expect.stringMatching(/^Nothing is unresolved/),
  })
})

test('status 1: an id of nothing', async () => {
  const { status, output } = await payouts('show', 'sub_00000000000000000000')
  expect({ status, output }).toEqual({
    status: 1,
    output:
      'There is no payout, activation, withdrawal, allowance, deposit or refund of sub_00000000000000000000.\n',
  })
})

test('status 2: words it does not know', async () => {
  const { status, output } = await payouts('pay', 'everybody')
  expect(status).toBe(2)
  expect(output).toMatch(/^Usage: npm run payouts/)
})
