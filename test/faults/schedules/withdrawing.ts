import { type Account, type Address, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Environment } from '../support/environment.ts'
import { repeat, type WantedWithdrawal, withdraw } from '../support/holder.ts'
import { type Authorization, authorizationsIn } from '../support/oracle/authorizations.ts'
import { finalityBlocks } from '../support/oracle/expected.ts'
import { readNonceEvents } from '../support/oracle/transfers.ts'
import type { RequestedWithdrawal, WithdrawalState } from '../support/oracle/withdrawals.ts'
import { until } from './helpers.ts'
import type { Scenario } from './run.ts'

/** Agents withdraw, each until it reads that its withdrawal is confirmed or failed. */
export function takeOut(
  { inBackground, environment, random }: Scenario,
  ...wanted: Partial<WantedWithdrawal>[]
): void {
  for (const one of wanted)
    inBackground((signal, listen) => {
      const all = { holder: 1, tokens: 7, as: 'tokens', strict: true, ...one } as const
      return withdraw(environment, random, all, listen, signal)
    })
}

/** Agents whose withdrawals have not failed send the same requests again, with the same Idempotency-Keys. */
export function repeatAll({ inBackground, environment, random }: Scenario): void {
  for (const request of environment.withdrawals) {
    if (request.readings.some((states) => states.at(-1)?.status === 'failed')) continue
    inBackground((signal, listen) => repeat(environment, random, request, { strict: false }, listen, signal))
  }
}

/**
 * Waits until every withdrawal that was asked for is confirmed or failed; which of them is right, the final checks know
 * from the chain.
 */
export function withdrawalsAreSettled(environment: Environment): Promise<void> {
  return until('every withdrawal is settled', () => areSettled(environment))
}

/** Waits until the agents have got so many more responses, or have read that their withdrawals are confirmed or failed. */
export function agentsReadAgain(environment: Environment, times: number): Promise<void> {
  const before = environment.answered
  return until(
    'the agents have read their withdrawals again',
    async () => environment.answered >= before + times || environment.withdrawals.every(isOver),
  )
}

/** Waits until a withdrawal stays queued for this reason, or is settled. */
export function staysQueuedBecause(environment: Environment, reason: string): Promise<void> {
  return until(`a withdrawal stays queued: ${reason}`, async () => {
    const query = environment.db.selectFrom('transactions').select('error').where('status', '=', 'queued')
    const row = await query.where('purpose', '=', 'withdrawal').executeTakeFirst()
    return row?.error?.includes(reason) === true || (await areSettled(environment))
  })
}

function isOver({ readings }: RequestedWithdrawal): boolean {
  const status = readings.at(-1)?.at(-1)?.status
  return status === 'confirmed' || status === 'failed'
}

async function areSettled({ db, withdrawals }: Environment): Promise<boolean> {
  const rows = await db.selectFrom('relays').select('status').where('kind', '=', 'withdrawal').execute()
  const lost = withdrawals.filter((one) => one.lost !== undefined)
  return rows.length + lost.length === withdrawals.length && rows.every(({ status }) => status !== 'running')
}

/** Waits until every agent has the response that the database has lost its withdrawal. */
export function agentsKnowOfLoss({ withdrawals }: Environment): Promise<void> {
  return until('every agent knows of the loss', async () =>
    withdrawals.every(({ lost }) => lost !== undefined),
  )
}

/** Waits until every withdrawal that was asked for is in the database. */
export function withdrawalsAreStored(environment: Environment): Promise<void> {
  return until('every withdrawal is stored', async () => {
    const relays = environment.db.selectFrom('relays').select('id')
    const rows = await relays.where('kind', '=', 'withdrawal').execute()
    return rows.length === environment.withdrawals.length
  })
}

/** Waits until the agent of every withdrawal has read this status, in the first or in any later life of the database. */
export function agentsRead(environment: Environment, status: WithdrawalState['status']): Promise<void> {
  return until(`the agent of every withdrawal reads ${status}`, async () =>
    environment.withdrawals.every(({ readings }) => readings.at(-1)?.at(-1)?.status === status),
  )
}

/** Waits until the agent that asked last reads that its withdrawal is confirmed. */
export function lastIsConfirmed({ withdrawals }: Environment): Promise<void> {
  return until(
    'the agent that asked last reads confirmed',
    async () => withdrawals.at(-1)?.readings.at(-1)?.at(-1)?.status === 'confirmed',
  )
}

/** Waits until the transaction of a withdrawal has this status. */
export function ownTransactionIs(environment: Environment, status: string): Promise<void> {
  return until(`the transaction of the withdrawal is ${status}`, async () => {
    const query = environment.db.selectFrom('transactions').select('status')
    const rows = await query.where('purpose', '=', 'withdrawal').execute()
    return rows.length > 0 && rows.every((row) => row.status === status)
  })
}

/** Makes every block final that is there now. */
export async function finalise({ node }: Pick<Environment, 'node'>): Promise<void> {
  await node.mine({ blocks: Number(finalityBlocks) })
}

/** Mines a block in which every signature of now has expired, also those of processes whose clocks are an hour ahead. */
export async function expireAll({ node }: Pick<Environment, 'node'>): Promise<void> {
  await node.increaseTime({ seconds: 7200 })
  await node.mine({ blocks: 1 })
}

/** Authorizations that were sent and that the chain has not used. */
export async function openAuthorizations(environment: Environment): Promise<Authorization[]> {
  const spent = new Set((await readNonceEvents(environment)).map(({ nonce }) => nonce))
  return authorizationsIn(environment.sent()).filter(({ nonce }) => !spent.has(nonce))
}

/** Offers a call to the node, before everything that pays less. Returns the transaction's hash. */
export function offerFirst(
  { node }: Environment,
  account: Account,
  call: { to: Address; data: Hex; value?: bigint },
): Promise<Hex> {
  const fees = { maxFeePerGas: 10n ** 13n, maxPriorityFeePerGas: 10n ** 13n }
  return node.sendTransaction({ account, gas: 500_000n, ...fees, ...call })
}

/** Somebody else takes the newest open authorization from the mempool and offers it first; false if there is none. */
export async function relayFromOutside(environment: Environment): Promise<boolean> {
  const authorization = (await openAuthorizations(environment)).at(-1)
  if (!authorization) return false
  const account = privateKeyToAccount(generatePrivateKey())
  await environment.node.setBalance({ address: account.address, value: parseEther('100') })
  const { to, data } = authorization
  await offerFirst(environment, account, { to, data })
  return true
}
