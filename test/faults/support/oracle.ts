import { sql } from 'kysely'
import { type Address, type Hex, isAddressEqual, parseAbiItem } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { platformWallet as wallet } from '../../../server/chain/generated/contracts.ts'
import { payoutIdOf, splitReward } from '../../../server/chain/units.ts'
import type { Database } from '../../../server/db/connect.ts'
import type { Ground } from './ground.ts'
import { trespasses, wrongHistory } from './history.ts'
import type { Node } from './node.ts'

/** Everything the oracle looks at. */
export interface Evidence {
  ground: Ground
  node: Node
  db: Database
  /** Newest block of the ground. */
  since: bigint
  /** Submissions whose founder was told that they are paid, with the hash. */
  told: Map<string, Hex>
  /** Operator nonces that the test itself has used up. */
  stolen: { address: Address; nonce: number }[]
  /** Whether a person may be needed at the end. */
  operatorMayBeNeeded: boolean
}

const feeBps = 500
const paidEvent = parseAbiItem(
  'event Paid(bytes32 indexed payoutId, address indexed token, address indexed from, address to, uint256 amount, uint256 fee)',
)
const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 amount)')

/** What is wrong at the end of a schedule, one line each; nothing at all if everything is as it must be. */
export async function findFaults(evidence: Evidence): Promise<string[]> {
  return [
    ...(await wrongPayments(evidence)),
    ...(await wrongNonces(evidence)),
    ...(await timidReplacements(evidence.db)),
    ...(await unfinished(evidence)),
    ...(await wrongProjects(evidence)),
    ...(await wrongHistory(evidence.db)),
    ...(await trespasses(evidence.db)),
  ]
}

/** One `Paid` and one Transfer a leg for each approved submission, with the exact values; nothing for anybody else. */
async function wrongPayments({ ground, node, db, since, told }: Evidence): Promise<string[]> {
  const range = { fromBlock: since + 1n, toBlock: 'latest' } as const
  const paid = await node.getLogs({ address: ground.platformWallet, event: paidEvent, ...range })
  const tokens = ground.projects.map((project) => project.token)
  const transfers = await node.getLogs({ address: tokens, event: transferEvent, ...range })
  const rows = await db
    .selectFrom('submissions')
    .leftJoin('payouts', 'payouts.submission_id', 'submissions.id')
    .select([
      'submissions.id',
      'submissions.status',
      'payouts.status as payout',
      'tx_hash',
      'to_address',
      'amount',
      'fee',
    ])
    .execute()
  const problems: string[] = []
  let legs = 0
  for (const submission of ground.submissions) {
    const row = rows.find(({ id }) => id === submission.id)!
    const payoutId = payoutIdOf(31_337, submission.id)
    const events = paid.filter((event) => event.args.payoutId === payoutId)
    const isDone = row.status === 'approved' && row.payout === 'settled'
    const expected = isDone ? 1 : row.payout === 'needs_operator' ? events.length : 0
    if (events.length !== expected || events.length > 1)
      problems.push(`${submission.id} is ${row.status} and was paid ${events.length} times`)
    if (told.has(submission.id) && !isDone && row.payout !== 'needs_operator')
      problems.push(`${submission.id} was told to be paid and is ${row.status}`)
    const [event] = events
    if (!event) continue
    const project = ground.projects[submission.project]!
    const { net, fee } = splitReward(submission.reward, feeBps)
    const { args } = event
    const isExact =
      isAddressEqual(args.token!, project.token) &&
      isAddressEqual(args.from!, project.wallet) &&
      isAddressEqual(args.to!, row.to_address as Address) &&
      args.amount === net &&
      args.fee === fee
    if (!isExact) problems.push(`${submission.id} was paid something else than its reward`)
    if (isDone && row.tx_hash !== event.transactionHash)
      problems.push(`${submission.id} names ${row.tx_hash} and was paid by ${event.transactionHash}`)
    const own = transfers.filter(({ transactionHash }) => transactionHash === event.transactionHash)
    legs += own.length
    const isMoved = (to: Address, amount: bigint) =>
      own.filter(
        (transfer) =>
          isAddressEqual(transfer.address, project.token) &&
          isAddressEqual(transfer.args.from!, project.wallet) &&
          isAddressEqual(transfer.args.to!, to) &&
          transfer.args.amount === amount,
      ).length === 1
    if (own.length !== 2 || !isMoved(args.to!, net) || !isMoved(ground.treasury, fee))
      problems.push(`${submission.id} was paid with other transfers than its two legs`)
  }
  const known = new Set(ground.submissions.map(({ id }) => payoutIdOf(31_337, id) as string))
  const strangers = paid.filter((event) => !known.has(event.args.payoutId!))
  if (strangers.length > 0) problems.push(`${strangers.length} payments for nobody's work`)
  const minted = transfers.filter(({ args }) => BigInt(args.from!) === 0n).length
  if (legs !== transfers.length - minted)
    problems.push(`${transfers.length - minted - legs} transfers belong to no payment`)
  return problems
}

/** Every nonce that was given out is used, and every used one was given out by the service or stolen by the test. */
async function wrongNonces({ ground, node, db, stolen }: Evidence): Promise<string[]> {
  const problems: string[] = []
  const lanes = await db.selectFrom('lanes').selectAll().execute()
  for (const key of ground.operatorKeys) {
    const { address } = privateKeyToAccount(key)
    const lane = lanes.find((row) => row.address === address.toLowerCase())
    if (!lane) continue
    const mined = await node.getTransactionCount({ address })
    const pending = await node.getTransactionCount({ address, blockTag: 'pending' })
    if (pending !== mined) problems.push(`${address} has ${pending - mined} transactions in the mempool`)
    const rows = await db
      .selectFrom('transactions')
      .select('nonce')
      .where('from_address', '=', lane.address)
      .where('nonce', 'is not', null)
      .execute()
    const owned = new Set(rows.map(({ nonce }) => nonce as number))
    for (const theft of stolen) if (isAddressEqual(theft.address, address)) owned.add(theft.nonce)
    const missing = Array.from({ length: mined }, (_, nonce) => nonce).filter((nonce) => !owned.has(nonce))
    // What the key did before its lane was opened is nobody's.
    const first = Math.min(...owned)
    if (missing.some((nonce) => nonce > first))
      problems.push(`${address} has used nonces that nobody knows: ${missing}`)
    if (Math.max(-1, ...owned) >= mined)
      problems.push(`${address} has given out nonces up to ${Math.max(...owned)} and used ${mined}`)
  }
  return problems
}

/** Replacements that nodes may refuse, or that would never outbid: less than an eighth above the attempt before. */
async function timidReplacements(db: Database): Promise<string[]> {
  const { rows } = await sql<{ hash: string; transaction_id: string }>`
    select hash, transaction_id from (
      select hash, transaction_id,
        max_fee_per_gas / lag(nullif(max_fee_per_gas, 0)) over attempts as max_fee,
        max_priority_fee_per_gas / lag(nullif(max_priority_fee_per_gas, 0)) over attempts as priority_fee
      from transaction_attempts
      window attempts as (partition by transaction_id order by created_at)
    ) as raised
    where max_fee < 1.125 or priority_fee < 1.125`.execute(db)
  return rows.map(({ hash, transaction_id }) => `${hash} replaces transaction ${transaction_id} too timidly`)
}

/** Rows that are still on their way. */
export async function unfinished({ db, operatorMayBeNeeded }: Pick<Evidence, 'db' | 'operatorMayBeNeeded'>) {
  const problems: string[] = []
  const note = (relation: string, rows: { id: string | number; status: string }[]) => {
    for (const { id, status } of rows) problems.push(`${relation} ${id} is still ${status}`)
  }
  const open = operatorMayBeNeeded ? [] : (['needs_operator'] as const)
  const [transactions, payouts, activations, submissions] = await Promise.all([
    db
      .selectFrom('transactions')
      .select(['id', 'status'])
      .where('status', 'in', ['queued', 'unconfirmed', 'mined', ...open])
      .execute(),
    db
      .selectFrom('payouts')
      .select(['submission_id as id', 'status'])
      .where('status', 'in', ['running', ...open])
      .execute(),
    db
      .selectFrom('activations')
      .select(['project_id as id', 'status'])
      .where('status', 'in', ['running', ...open])
      .execute(),
    db.selectFrom('submissions').select(['id', 'status']).where('status', '=', 'approving').execute(),
  ])
  note('transaction', transactions)
  note('payout', payouts)
  note('activation', activations)
  if (!operatorMayBeNeeded) note('submission', submissions)
  return problems
}

/** An active project has a token at its address, whose only maker is one deploy; a proposed one has none. */
async function wrongProjects({ ground, node, db, since }: Evidence): Promise<string[]> {
  const created = await node.getLogs({
    address: ground.projectFactory,
    event: parseAbiItem(
      'event ProjectCreated(bytes32 indexed projectKey, address indexed creator, address indexed founder, address token, address curve, uint256 supply)',
    ),
    fromBlock: since + 1n,
    toBlock: 'latest',
  })
  const problems: string[] = []
  const rows = await db.selectFrom('projects').select(['id', 'status', 'token_address']).execute()
  const tokens = new Set(created.map(({ args }) => args.token!.toLowerCase()))
  if (tokens.size !== created.length) problems.push('a token was made twice')
  const active = rows.filter(
    ({ id, status }) => status === 'active' && ground.proposals.some((proposal) => proposal.id === id),
  )
  for (const { id, token_address } of active)
    if (!tokens.delete((token_address as string).toLowerCase()))
      problems.push(`${id} is active without a token`)
  if (tokens.size > 0) problems.push(`${tokens.size} tokens belong to no active project`)
  return problems
}

/** Whether the chain says that a submission is paid. */
export function isPaidOnChain({ ground, node }: Pick<Evidence, 'ground' | 'node'>, submissionId: string) {
  return node.readContract({
    abi: wallet.abi,
    address: ground.platformWallet,
    functionName: 'paid',
    args: [payoutIdOf(31_337, submissionId)],
  })
}
