import { type Address, type Hex, isAddressEqual, parseAbi, parseEther } from 'viem'
import type { Database } from '../../../../server/db/client.ts'
import type { RaisedAlarm } from '../process.ts'
import { type Authorization, authorizationsIn } from './authorizations.ts'
import { finalityBlocks, inBaseUnits } from './expected.ts'
import { type ChainEvidence, type Move, readMoves, readNonceEvents } from './transfers.ts'

/** What withdrawals are checked against. */
export interface WithdrawalEvidence extends ChainEvidence {
  db: Database
  withdrawals: RequestedWithdrawal[]
  /** Every signed transaction that a process has sent to the node. */
  sent(): readonly Hex[]
  /** Whether the database has fallen back to what it held when the schedule began. */
  fellBack: boolean
  /** Alarms that any process of the service has raised. */
  alarms(): RaisedAlarm[]
}

/** A withdrawal that an agent has asked for, under one Idempotency-Key and to a recipient of its own. */
export interface RequestedWithdrawal {
  key: string
  /** Which of the fixture's holders asks. */
  holder: number
  /** Whole tokens. */
  tokens: number
  to: Address
  as: 'tokens' | 'eth'
  /** Least ETH that the agent asks for; absent: the service proposes it. */
  minEth?: string
  /** What each client of the agent has read, each state once, in its order. A new list begins when an id is forgotten. */
  readings: WithdrawalState[][]
  /** The refusal of a repeated key whose withdrawal the database has lost; it names the transaction that made it. */
  lost?: string
  /** What the agent reads when the schedule is over. */
  last?: WithdrawalState
}

/** A withdrawal as the API returns it. */
export interface WithdrawalState {
  id: string
  status: 'queued' | 'sent' | 'confirmed' | 'failed'
  tx_hash: Hex | null
  amount: string
  to: string
  as: string
  min_eth: string | null
  eth_paid: string | null
  expires_at: string
}

/** What one client may read after what. Only a reorganisation undoes a confirmation, and nothing undoes a failure. */
/** From `sent` to `sent` with another transaction, which replaces the earlier one. */
const edges = [
  'queued>sent',
  'sent>sent',
  'queued>confirmed',
  'queued>failed',
  'sent>confirmed',
  'sent>failed',
]
const edgesOfReorganisations = ['confirmed>sent', 'confirmed>failed', 'confirmed>confirmed']

const stateAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address holder) view returns (uint256)',
])

/** Whether an agent has asked for what has left a managed wallet. */
export function isRequested({ withdrawals, fixture }: WithdrawalEvidence, move: Move): boolean {
  return withdrawals.some(
    ({ to, holder }) =>
      isAddressEqual(to, move.recipient) && isAddressEqual(fixture.holders[holder]!.wallet, move.wallet),
  )
}

/**
 * Checks each withdrawal on the chain: made at most once, exactly as it was asked for, and made if and only if the agent
 * reads that it is confirmed. `wrongPayments` finds what left a managed wallet without a request.
 */
export async function wrongWithdrawals(evidence: WithdrawalEvidence): Promise<string[]> {
  const [moves, signed, events, rows] = await Promise.all([
    readMoves(evidence),
    authorizationsIn(evidence.sent()),
    readNonceEvents(evidence),
    evidence.db.selectFrom('relays').select('recipient').where('kind', '=', 'withdrawal').execute(),
  ])
  const problems: string[] = []
  for (const request of evidence.withdrawals) {
    const isOwn = ({ recipient }: { recipient: string }) => isAddressEqual(recipient as Address, request.to)
    const made = moves.filter(isOwn)
    problems.push(
      ...wrongSignatures(evidence, request, signed.filter(isOwn)),
      ...(await wrongMoves(evidence, request, made)),
      ...wrongReport(evidence, request, made),
      ...wrongReadings(evidence, request),
    )
    const stored = rows.filter(isOwn).length
    if (stored > 1) problems.push(`${name(request)} is stored ${stored} times`)
    if (mayNeverBeMade(request)) problems.push(...(await whyUsable(evidence, request)))
  }
  const used = events.filter(({ isCancelled }) => !isCancelled)
  if (used.length !== moves.filter((move) => isRequested(evidence, move)).length)
    problems.push(`${used.length} authorizations were used for ${moves.length} withdrawals`)
  return problems
}

const name = ({ to, as, tokens }: RequestedWithdrawal) => `the withdrawal of ${tokens} as ${as} to ${to}`
const statesOf = ({ readings, last }: RequestedWithdrawal) => [...readings.flat(), ...(last ? [last] : [])]
const mayNeverBeMade = (request: RequestedWithdrawal) =>
  statesOf(request).some(({ status }) => status === 'failed')

/** One key has one nonce, whatever the database forgets, and every signature with it says what the agent has asked for. */
function wrongSignatures(
  { fixture }: WithdrawalEvidence,
  request: RequestedWithdrawal,
  signed: Authorization[],
): string[] {
  const { project, wallet } = fixture.holders[request.holder]!
  const { token, curve } = fixture.projects[project]!
  const isAsked = (one: Authorization) =>
    isAddressEqual(one.wallet, wallet) &&
    isAddressEqual(one.to, request.as === 'eth' ? curve : token) &&
    one.asEth === (request.as === 'eth') &&
    one.amount === inBaseUnits(request.tokens) &&
    (request.minEth === undefined || one.minEth === parseEther(request.minEth))
  const problems: string[] = []
  if (!signed.every(isAsked)) problems.push(`${name(request)} was signed with other terms`)
  const nonces = new Set(signed.map(({ nonce }) => nonce)).size
  if (nonces > 1) problems.push(`${name(request)} was signed with ${nonces} nonces`)
  return problems
}

/** Made at most once, exactly, and the recipient has got it. */
async function wrongMoves(
  { fixture, node }: WithdrawalEvidence,
  request: RequestedWithdrawal,
  made: Move[],
): Promise<string[]> {
  const problems: string[] = []
  if (made.length > 1) problems.push(`${name(request)} was made ${made.length} times`)
  const { project, wallet } = fixture.holders[request.holder]!
  const { token } = fixture.projects[project]!
  for (const move of made) {
    const isExact =
      isAddressEqual(move.wallet, wallet) &&
      isAddressEqual(move.token, token) &&
      move.amount === inBaseUnits(request.tokens) &&
      (move.ethPaid !== null) === (request.as === 'eth')
    if (!isExact) problems.push(`${name(request)} has moved something else`)
    if (move.ethPaid !== null && !isEnough(request, move.ethPaid))
      problems.push(`${name(request)} was paid ${move.ethPaid} wei, less than it asked for`)
  }
  const [tokens, wei] = await Promise.all([
    node.readContract({ abi: stateAbi, address: token, functionName: 'balanceOf', args: [request.to] }),
    node.getBalance({ address: request.to }),
  ])
  const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const isArrived =
    tokens === sum(made.map(({ amount, ethPaid }) => (ethPaid === null ? amount : 0n))) &&
    wei === sum(made.map(({ ethPaid }) => ethPaid ?? 0n))
  if (!isArrived) problems.push(`the recipient of ${name(request)} has ${tokens} base units and ${wei} wei`)
  return problems
}

/** Whether a sale has paid what the agent asked for, or what it was told; a forgotten request may have asked for less. */
function isEnough(request: RequestedWithdrawal, wei: bigint): boolean {
  if (request.minEth !== undefined) return wei >= parseEther(request.minEth)
  const told = statesOf(request).map(({ min_eth }) => parseEther(min_eth ?? '0'))
  return wei > 0n && told.some((least) => wei >= least)
}

/** Compares what the agent reads in the end with the chain. */
function wrongReport({ fellBack }: WithdrawalEvidence, request: RequestedWithdrawal, made: Move[]): string[] {
  const { last } = request
  const problems: string[] = []
  const [move] = made
  // Nobody asks again for what has failed.
  const isForgotten = fellBack && made.length === 0 && mayNeverBeMade(request)
  if (!last && request.lost !== undefined)
    return made.length === 1 && request.lost.includes(move!.hash)
      ? []
      : [`${name(request)} was made ${made.length} times, and the response was: ${request.lost}`]
  if (!last)
    return isForgotten ? [] : [`${name(request)} is unknown to the service and was made ${made.length} times`]
  if (last.status !== 'confirmed' && last.status !== 'failed')
    problems.push(`${name(request)} is still ${last.status}`)
  if ((last.status === 'confirmed') !== (made.length === 1))
    problems.push(`${name(request)} is ${last.status} and was made ${made.length} times`)
  if (last.tx_hash !== null && last.tx_hash !== move?.hash)
    problems.push(`${name(request)} names ${last.tx_hash} and was made by ${move?.hash}`)
  const paid = last.eth_paid === null ? null : parseEther(last.eth_paid)
  if (paid !== (last.status === 'confirmed' ? (move?.ethPaid ?? null) : null))
    problems.push(`${name(request)} reports ${last.eth_paid} ETH and was paid ${move?.ethPaid} wei`)
  for (const { id, amount, to, as } of statesOf(request))
    if (parseEther(amount) !== inBaseUnits(request.tokens) || to !== request.to || as !== request.as)
      problems.push(`${id} is returned with other terms than it was asked for with`)
  return problems
}

/** Compares what each client of the agent has read in turn. */
function wrongReadings({ node, alarms }: WithdrawalEvidence, request: RequestedWithdrawal): string[] {
  const allowed = node.reorganisations() > 0 ? [...edges, ...edgesOfReorganisations] : edges
  const problems: string[] = []
  for (const states of request.readings) {
    for (const [index, { id, status }] of states.slice(1).entries()) {
      const edge = `${states[index]!.status}>${status}`
      if (!allowed.includes(edge)) problems.push(`${id}: an agent has read ${edge}`)
    }
    const isUndone = states.some(({ status }) => status === 'confirmed') && request.last?.status === 'failed'
    const isCalled = (id: string) =>
      alarms().some(({ kind, entityId }) => kind === 'relay_needs_operator' && entityId === id)
    if (isUndone && !isCalled(states[0]!.id))
      problems.push(`${name(request)} was confirmed, has failed, and nobody was called`)
  }
  return problems
}

/**
 * Why a withdrawal that is reported failed can still be made or was made; empty if it is over for good: its nonce is used or
 * cancelled in a final block, or a final block is past the end of every signature.
 */
export async function whyUsable(
  evidence: WithdrawalEvidence,
  request: RequestedWithdrawal,
): Promise<string[]> {
  const { node, fixture } = evidence
  const wallet = fixture.holders[request.holder]!.wallet
  const final = (await node.getBlockNumber()) - finalityBlocks + 1n
  const [{ timestamp }, moves, events] = await Promise.all([
    node.getBlock({ blockNumber: final }),
    readMoves(evidence),
    readNonceEvents(evidence),
  ])
  if (moves.some(({ recipient }) => isAddressEqual(recipient, request.to)))
    return [`${name(request)} was reported failed and is made`]
  const signed = authorizationsIn(evidence.sent()).filter(({ recipient }) =>
    isAddressEqual(recipient, request.to),
  )
  const isSpent = (nonce: Hex) =>
    events.some(
      (event) => event.nonce === nonce && isAddressEqual(event.wallet, wallet) && event.blockNumber <= final,
    )
  const ends = [
    ...signed.filter(({ nonce }) => !isSpent(nonce)).map(({ validBefore }) => validBefore),
    // A signature that was never sent ends then too.
    ...(signed.length === 0
      ? statesOf(request).map(({ expires_at }) => BigInt(Date.parse(expires_at)) / 1000n)
      : []),
  ]
  return ends.some((end) => timestamp < end)
    ? [`${name(request)} was reported failed while anybody could make it`]
    : []
}

/** Whether the chain has made a withdrawal. */
export async function isMade(evidence: ChainEvidence, { to }: RequestedWithdrawal): Promise<boolean> {
  return (await readMoves(evidence)).some(({ recipient }) => isAddressEqual(recipient, to))
}

/** Withdrawals that are confirmed in the database and not made on the chain. */
export async function unmadeConfirmed({ db, node }: WithdrawalEvidence): Promise<string[]> {
  const confirmed = await db
    .selectFrom('relays')
    .select(['id', 'token', 'wallet', 'nonce'])
    .where('kind', '=', 'withdrawal')
    .where('status', '=', 'confirmed')
    .execute()
  const states = await Promise.all(
    confirmed.map(({ token, wallet, nonce }) =>
      node.readContract({
        abi: stateAbi,
        address: token as Address,
        functionName: 'authorizationState',
        args: [wallet as Address, nonce as Hex],
      }),
    ),
  )
  return confirmed.flatMap(({ id }, index) =>
    states[index] ? [] : [`${id} is confirmed and the chain has not made it`],
  )
}
