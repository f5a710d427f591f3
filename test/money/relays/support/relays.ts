import { randomUUID } from 'node:crypto'
import { type Account, type Address, createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect } from 'vitest'
import { projectToken } from '../../../../server/money/chain/generated/contracts.ts'
import { tokenUnit } from '../../../../server/money/chain/units.ts'
import { createTestMarket, type TestMarket } from '../../../support/market.ts'
import type { ActiveProject, TestAgent } from '../../../support/scenarios.ts'
import { readRow } from '../../../support/stored.ts'
import { until } from '../../../support/until.ts'
import { someAddress } from '../../../support/values.ts'

/** Settings under which a test may make as many relays as it likes, and two blocks are final. */
export const relaySettings = {
  WITHDRAWALS_PER_DAY: '100000',
  DEPOSITS_PER_DAY: '100000',
  WITHDRAWAL_GAS_ETH_PER_DAY: '100000',
  FINALITY_BLOCKS: '2',
}

/** A request for a withdrawal, as far as it differs from 10 tokens to some address. */
export interface Wanted {
  amount?: string
  to?: string
  as?: 'tokens' | 'eth'
  min_eth?: string
}

/** What tests of relays do on a market. */
export function relaysOn(market: TestMarket) {
  const { api, chain, db } = market
  const { node } = chain

  const relays = {
    /** An agent whose managed wallet has whole tokens that somebody bought. */
    async holder(project: ActiveProject, tokens = 100): Promise<TestAgent & { wallet_address: string }> {
      const agent = await market.register()
      await relays.give(project, agent.wallet_address as string, tokens)
      return agent as TestAgent & { wallet_address: string }
    },
    /** Somebody buys whole tokens and gives them away. */
    async give(project: ActiveProject, to: string, tokens: number): Promise<void> {
      const buyer = await chain.fundedAccount()
      const amount = BigInt(tokens) * tokenUnit
      await chain.buy(buyer, project.curve_address, amount)
      const args = [to as Address, amount] as const
      const data = encodeFunctionData({ abi: projectToken.abi, functionName: 'transfer', args })
      await chain.send(buyer, { to: project.token_address as Address, data })
    },
    withdraw(
      agent: { key: string },
      project: { id: string },
      wanted: Wanted = {},
      key: string = randomUUID(),
    ) {
      const body = { project_id: project.id, amount: '10', to: someAddress, as: 'tokens', ...wanted }
      return api('POST', '/api/agents/me/withdrawals', {
        key: agent.key,
        body,
        headers: { 'idempotency-key': key },
      })
    },
    /** Withdraws and waits until that is confirmed, so that the next one can be asked for. */
    async withdrawn(agent: { key: string }, project: { id: string }, wanted: Wanted = {}) {
      const { id } = (await relays.withdraw(agent, project, wanted)).body.withdrawal
      await until(relays.is(id, 'confirmed'))
      return relays.read(agent, id)
    },
    /** What tests do with the token of one project. */
    of: (project: ActiveProject) => ({
      /** Whole tokens that an address holds. */
      tokensOf: async (holder: string) =>
        Number((await chain.balanceOf(project.token_address, holder)) / tokenUnit),
      /** A withdrawal that was stored while nothing sends it. */
      async stored(wanted: Wanted = {}, tokens = 100) {
        const agent = await relays.holder(project, tokens)
        await market.stopEngines()
        const key = randomUUID()
        const to = wanted.to ?? newAddress()
        const { status, body } = await relays.withdraw(agent, project, { ...wanted, to }, key)
        expect(status).toBe(201)
        return { agent, to, key, id: body.withdrawal.id as string }
      },
      /** The nonce of a transaction's operator key. */
      nonceOf: async (entityId: string) => (await relays.transactionOf(entityId)).nonce as number,
    }),
    /** The withdrawal as the agent sees it. */
    async read(agent: { key: string }, id: string) {
      return (await api('GET', `/api/agents/me/withdrawals/${id}`, { key: agent.key })).body.withdrawal
    },
    rowOf: (id: string) => db.selectFrom('relays').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** Condition: a relay has this status in the database. */
    is: (id: string, status: string) => async () => (await relays.rowOf(id)).status === status,
    transactionOf: (id: string) =>
      db.selectFrom('transactions').selectAll().where('entity_id', '=', id).executeTakeFirstOrThrow(),
    /** Sends the signed call of a relay from outside of the service. */
    async relayFromOutside(id: string, fee?: bigint): Promise<Hex> {
      const { to_address, data } = await relays.transactionOf(id)
      const account = await chain.fundedAccount()
      const call = { to: to_address as Address, data: dataOf(data) }
      if (fee === undefined) return chain.send(account, call)
      return relays.offer(account, call, fee)
    },
    /** Puts a call into the mempool, before everything that offers less. */
    offer(account: Account, call: { to: Address; data: Hex }, fee: bigint): Promise<Hex> {
      const wallet = createWalletClient({ account, chain: foundry, transport: http(chain.rpcUrl) })
      const limits = { gas: 500_000n, maxFeePerGas: fee, maxPriorityFeePerGas: fee }
      return wallet.sendTransaction({ ...limits, ...call })
    },
    /** The key of an agent's managed wallet, as the agent has it after an export. */
    async exported(agent: { id: string }) {
      const row = await readRow(db, 'managed_wallets', { agent_id: agent.id })
      const { address, sealed_key: sealedKey, key_version: keyVersion } = row
      const sealed = { address: address as Address, sealedKey, keyVersion }
      return privateKeyToAccount(market.services.wallets?.open(agent.id, sealed) as Hex)
    },
    /** Sets the code of a key's account (EIP-7702). */
    async delegate(owner: PrivateKeyAccount, address: Address): Promise<void> {
      const account = await chain.fundedAccount()
      const wallet = createWalletClient({ account, chain: foundry, transport: http(chain.rpcUrl) })
      const authorization = await wallet.signAuthorization({ account: owner, contractAddress: address })
      const request = { to: account.address, authorizationList: [authorization] }
      const hash = await wallet.sendTransaction(request)
      await node.waitForTransactionReceipt({ hash, pollingInterval: 20 })
    },
    /** What a database has forgotten that fell back behind a relay. */
    async forget(id: string): Promise<void> {
      await db.deleteFrom('relays').where('id', '=', id).execute()
      await db.deleteFrom('transactions').where('entity_id', '=', id).where('nonce', 'is', null).execute()
      await relays.forgetKeys()
    },
    /** Idempotency-Keys expire after 24 hours. */
    forgetKeys: () => db.deleteFrom('idempotency_keys').execute(),
    /** Makes every signature of now invalid, as of the newest block. */
    async expire(): Promise<void> {
      await node.increaseTime({ seconds: 2000 })
      await node.mine({ blocks: 1 })
    },
    /** Starts the engines, while no block is made, until so many transactions wait for one. */
    async sendUnmined(count = 1): Promise<void> {
      await node.setAutomine(false)
      market.startEngines()
      await until(async () => (await node.getTxpoolStatus()).pending === count)
    },
    /** Makes everything final that is mined. */
    finalise: () => node.mine({ blocks: 3 }),
  }
  return relays
}

/** Opens markets with some settings changed and the surroundings of this one. */
export const marketsBeside =
  (sharing: TestMarket, settings: Record<string, string>) => (changed: Record<string, string>) =>
    createTestMarket({ proxied: true, engines: false, settings: { ...settings, ...changed }, sharing })

/** An address that nobody has used. */
export const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

/** Calldata as it is stored. */
export function dataOf(stored: string | Buffer): Hex {
  return (typeof stored === 'string' ? stored : `0x${stored.toString('hex')}`) as Hex
}
