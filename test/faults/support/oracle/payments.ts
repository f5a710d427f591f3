import { type Address, type Hex, isAddressEqual, parseAbi, parseAbiItem } from 'viem'
import type { Database } from '../../../../server/db/client.ts'
import type { FixtureSubmission } from '../fixture.ts'
import type { WalletBook } from '../wallets.ts'
import { expectedPayoutId, expectedShares } from './expected.ts'
import { type Approval, approvalsOf } from './history.ts'
import { readMoves, readTransfers } from './transfers.ts'
import { isRequested, type WithdrawalEvidence } from './withdrawals.ts'

/** What payments are checked against. */
export interface PaymentEvidence extends WithdrawalEvidence {
  /** Work that was submitted during the schedule. */
  added: FixtureSubmission[]
  wallets: WalletBook
  /** Hashes of the payments that were reported to founders, by submission. */
  reported: Map<string, Hex>
  /** Transactions that the test itself has sent, and payments for work that the database has lost altogether. */
  outside: Set<Hex>
}

const paidEvent = parseAbiItem(
  'event Paid(bytes32 indexed payoutId, address indexed token, address indexed from, address to, uint256 amount, uint256 fee)',
)
const paidAbi = parseAbi(['function paid(bytes32 payoutId) view returns (bool)'])

type Paid = Awaited<ReturnType<typeof readPaid>>[number]
type Transfer = Awaited<ReturnType<typeof readTransfers>>[number]
type Row = Awaited<ReturnType<typeof readRows>>[number]

/** The work on one bounty, what the service has stored about it, and what the chain shows. */
interface BountyCase {
  bountyId: string
  work: { submission: FixtureSubmission; row: Row }[]
  events: Paid[]
}

/**
 * Checks that each bounty with an approved submission has one payment with the exact values and two transfers, and that
 * nobody else was paid.
 */
export async function wrongPayments(evidence: PaymentEvidence): Promise<string[]> {
  const [paid, transfers, moves, rows, approvals] = await Promise.all([
    readPaid(evidence),
    readTransfers(evidence),
    readMoves(evidence),
    readRows(evidence.db),
    approvalsOf(evidence.db),
  ])
  const cases = casesOf(evidence, paid, rows)
  const problems: string[] = []
  for (const one of cases) {
    problems.push(...wrongState(evidence, one))
    for (const event of one.events) {
      problems.push(...wrongTerms(evidence, one, event, approvals))
      problems.push(...wrongTransfers(evidence, one, event, transfers))
    }
  }
  const known = new Set(cases.flatMap(({ events }) => events))
  const isExplained = (event: Paid) => known.has(event) || evidence.outside.has(event.transactionHash)
  const others = paid.filter((event) => !isExplained(event)).length
  if (others > 0) problems.push(`${others} payments for nobody's work`)
  const hashes = new Set([...known].map(({ transactionHash }) => transactionHash))
  // withdrawals.ts checks the amounts of these.
  const withdrawn = moves.filter((move) => isRequested(evidence, move))
  const stray = transfers.filter(
    ({ args, transactionHash, logIndex }) =>
      BigInt(args.from!) !== 0n &&
      !hashes.has(transactionHash) &&
      !evidence.outside.has(transactionHash) &&
      !withdrawn.some((move) => move.hash === transactionHash && move.logIndex === logIndex),
  )
  if (stray.length > 0) problems.push(`${stray.length} transfers belong to no payment and no withdrawal`)
  return problems
}

type Reading = Pick<PaymentEvidence, 'node' | 'fixture' | 'since'>

async function readPaid({ node, fixture, since }: Reading) {
  const range = { fromBlock: since, toBlock: 'latest' } as const
  const events = await node.getLogs({ address: fixture.platformWallet, event: paidEvent, ...range })
  return events.filter(({ blockNumber }) => blockNumber > since)
}

function readRows(db: Database) {
  return db
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
}

function casesOf({ fixture, added }: PaymentEvidence, paid: Paid[], rows: Row[]): BountyCase[] {
  const cases = new Map<string, BountyCase>()
  for (const submission of [...fixture.submissions, ...added]) {
    const { bountyId } = submission
    const row = rows.find(({ id }) => id === submission.id)
    const known = cases.get(bountyId) ?? { bountyId, work: [], events: [] }
    cases.set(bountyId, known)
    if (row) known.work.push({ submission, row })
    const payoutId = expectedPayoutId(submission)
    const own = paid.filter(({ args }) => args.payoutId === payoutId)
    known.events = [...new Set([...known.events, ...own])]
  }
  return [...cases.values()]
}

const isDone = ({ row }: { row: Row }) => row.status === 'approved' && row.payout === 'settled'
const waitsForOperator = ({ row }: { row: Row }) => row.payout === 'needs_operator'

/** Paid at most once, and exactly when the service says so. */
function wrongState({ reported }: PaymentEvidence, { bountyId, work, events }: BountyCase): string[] {
  const problems: string[] = []
  if (events.length > 1) problems.push(`${bountyId} was paid ${events.length} times`)
  const done = work.filter(isDone)
  const isUnclear = work.some(waitsForOperator)
  if (done.length > 1) problems.push(`${done.length} submissions of ${bountyId} are approved`)
  if (events.length < done.length || (events.length > done.length && !isUnclear))
    problems.push(
      `${bountyId} was paid ${events.length} times and its submissions are ${work.map(({ row }) => row.status)}`,
    )
  for (const one of work)
    if (reported.has(one.submission.id) && !isDone(one) && !waitsForOperator(one))
      problems.push(`${one.submission.id} was reported paid and is ${one.row.status}`)
  return problems
}

/** Checks token, parties and amounts on the chain, in the service's database and in the responses to founders. */
function wrongTerms(
  evidence: PaymentEvidence,
  { bountyId, work }: BountyCase,
  { args, transactionHash }: Paid,
  approvals: Map<string, Approval>,
): string[] {
  const done = work.filter(isDone)
  const paidWork = done.length > 0 ? done : work
  const problems: string[] = []
  const { submission } = work[0]!
  const project = evidence.fixture.projects[submission.project]!
  const { net, fee } = expectedShares(submission.reward)
  const recipients = paidWork.flatMap((one) =>
    walletsAtApproval(evidence, one.submission, approvals.get(one.submission.id)),
  )
  if (!isAddressEqual(args.token!, project.token) || !isAddressEqual(args.from!, project.wallet))
    problems.push(`${bountyId} was paid from another wallet or in another token than its project's`)
  if (!recipients.some((wallet) => isAddressEqual(args.to!, wallet)))
    problems.push(`${bountyId} was paid to a wallet that its contributor did not have at the approval`)
  if (args.amount !== net || args.fee !== fee)
    problems.push(`${bountyId} was paid ${args.amount} with a fee of ${args.fee}, not ${net} and ${fee}`)
  for (const { row } of done) {
    const isBooked =
      BigInt(row.amount!) === args.amount &&
      BigInt(row.fee!) === args.fee &&
      isAddressEqual(row.to_address as Address, args.to!)
    if (!isBooked) problems.push(`${row.id} is stored with other terms than it was paid with`)
    if (row.tx_hash !== transactionHash)
      problems.push(`${row.id} names ${row.tx_hash} and was paid by ${transactionHash}`)
    const hash = evidence.reported.get(row.id)
    if (hash && hash !== transactionHash && evidence.node.reorganisations() === 0)
      problems.push(`${row.id} was reported paid by ${hash} and was paid by ${transactionHash}`)
  }
  return problems
}

/** The wallets that a contributor may have had while the last approval was being stored. */
function walletsAtApproval(
  { wallets, fellBack }: PaymentEvidence,
  { contributorKey }: FixtureSubmission,
  approval: Approval | undefined,
): Address[] {
  if (approval) return wallets.between(contributorKey, approval.began, approval.stored)
  // A database that fell back has forgotten when that was.
  return fellBack ? wallets.between(contributorKey, new Date(0), new Date()) : []
}

/** Two transfers, to contributor and treasury, and no other in the same transaction. */
function wrongTransfers(
  { fixture }: PaymentEvidence,
  { bountyId, work }: BountyCase,
  { args, transactionHash }: Paid,
  transfers: Transfer[],
): string[] {
  const { submission } = work[0]!
  const project = fixture.projects[submission.project]!
  const { net, fee } = expectedShares(submission.reward)
  const own = transfers.filter((transfer) => transfer.transactionHash === transactionHash)
  const isMoved = (to: Address, amount: bigint) =>
    own.filter(
      (transfer) =>
        isAddressEqual(transfer.address, project.token) &&
        isAddressEqual(transfer.args.from!, project.wallet) &&
        isAddressEqual(transfer.args.to!, to) &&
        transfer.args.amount === amount,
    ).length === 1
  const isExact = own.length === 2 && isMoved(args.to!, net) && isMoved(fixture.treasury, fee)
  return isExact ? [] : [`${bountyId} was paid with other transfers than its two legs`]
}

/** Submissions that are paid in the database and unpaid on the chain. */
export async function unpaidSettled(evidence: PaymentEvidence): Promise<string[]> {
  const settled = await evidence.db
    .selectFrom('payouts')
    .select('submission_id')
    .where('status', '=', 'settled')
    .execute()
  const paid = await Promise.all(settled.map(({ submission_id }) => isPaidOnChain(evidence, submission_id)))
  return settled.flatMap(({ submission_id }, index) =>
    paid[index] ? [] : [`${submission_id} is settled and the chain has not paid it`],
  )
}

/** The payment of a submission on the chain, if there is one. */
export async function findPayment(
  evidence: Pick<PaymentEvidence, 'fixture' | 'added' | 'node' | 'since'>,
  submissionId: string,
) {
  const payoutId = expectedPayoutId(workOf(evidence, submissionId))
  const paid = await readPaid(evidence)
  return paid.find(({ args }) => args.payoutId === payoutId)
}

/** Whether the chain says that a submission is paid. */
export function isPaidOnChain(
  evidence: Pick<PaymentEvidence, 'fixture' | 'added' | 'node'>,
  submissionId: string,
): Promise<boolean> {
  return evidence.node.readContract({
    abi: paidAbi,
    address: evidence.fixture.platformWallet,
    functionName: 'paid',
    args: [expectedPayoutId(workOf(evidence, submissionId))],
  })
}

function workOf(
  { fixture, added }: Pick<PaymentEvidence, 'fixture' | 'added'>,
  submissionId: string,
): FixtureSubmission {
  const submission = [...fixture.submissions, ...added].find(({ id }) => id === submissionId)
  if (!submission) throw new Error(`nobody has submitted ${submissionId}`)
  return submission
}
