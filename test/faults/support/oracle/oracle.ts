import { sql } from 'kysely'
import { type Address, isAddressEqual, parseAbiItem } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Database } from '../../../../server/db/client.ts'
import { wrongDollars } from './dollars.ts'
import { trespasses, wrongHistory } from './history.ts'
import { wrongPayments } from './payments.ts'
import { type RuleEvidence, wrongRules } from './rules.ts'
import { wrongWithdrawals } from './withdrawals.ts'

/** Everything that the oracle reads. */
export interface Evidence extends RuleEvidence {
  /** Operator nonces that the service cannot know: the test used them, or the database has forgotten them. */
  foreign: { address: Address; nonce: number }[]
  /** One line for each transaction that was sent before it was stored. */
  sentUnstored(): Promise<string[]>
}

/** The final checks: one line for each problem at the end of a schedule. */
export async function findFaults(evidence: Evidence): Promise<string[]> {
  return [
    ...(await evidence.sentUnstored()),
    ...(await wrongPayments(evidence)),
    ...(await wrongRules(evidence)),
    ...(await wrongDollars(evidence)),
    ...(await wrongWithdrawals(evidence)),
    ...(await wrongNonces(evidence)),
    ...(await needlessNoops(evidence)),
    ...(await timidReplacements(evidence.db)),
    ...(await unfinished(evidence)),
    ...(await wrongProjects(evidence)),
    ...(await wrongHistory(evidence.db)),
    ...(await trespasses(evidence.db)),
    ...wrongAlarms(evidence),
  ]
}

/** Reorganisations of the schedules are less deep than finality, and the service has given out every nonce it uses. */
function wrongAlarms({ alarms, foreign, fellBack }: Evidence): string[] {
  const impossible = ['deep_reorg', 'nonces_implausible']
  if (foreign.length === 0) impossible.push('nonces_unbooked', 'payment_unknown')
  if (!fellBack) impossible.push('database_behind')
  const problems = alarms()
    .filter(({ kind }) => impossible.includes(kind))
    .map(({ kind }) => `an alarm was raised without a cause: ${kind}`)
  if (fellBack && alarms().length === 0)
    problems.push('the database fell back behind the chain and nobody was called')
  return problems
}

/** Every nonce that was given out is used, and every used one was given out by the service or known to be foreign. */
async function wrongNonces({ fixture, node, db, foreign }: Evidence): Promise<string[]> {
  const problems: string[] = []
  const lanes = await db.selectFrom('lanes').selectAll().execute()
  for (const key of fixture.operatorKeys) {
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
    for (const one of foreign) if (isAddressEqual(one.address, address)) owned.add(one.nonce)
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

/** A nonce gap needs a cause: nonces that the service did not give out, or a chain that took transactions back. */
async function needlessNoops({ node, db, foreign }: Evidence): Promise<string[]> {
  if (node.reorganisations() > 0 || foreign.length > 0) return []
  const rows = await db
    .selectFrom('transactions')
    .select(['from_address', 'nonce'])
    .where('purpose', '=', 'noop')
    .execute()
  return rows.map(
    ({ from_address, nonce }) => `${from_address} has left nonce ${nonce} out and had to fill it`,
  )
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

/** Unfinished rows. */
export async function unfinished({ db, fellBack }: Pick<Evidence, 'db' | 'fellBack'>) {
  const problems: string[] = []
  const note = (relation: string, rows: { id: string | number; status: string }[]) => {
    for (const { id, status } of rows) problems.push(`${relation} ${id} is still ${status}`)
  }
  // After a fall-back an operator may be needed for good.
  const open = fellBack ? [] : (['needs_operator'] as const)
  const [transactions, payouts, activations, submissions, relays, deposits] = await Promise.all([
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
    db.selectFrom('relays').select(['id', 'status']).where('status', '=', 'running').execute(),
    db
      .selectFrom('deposits')
      .select(['bounty_id as id', 'deposits.status'])
      .innerJoin('bounties', 'bounties.id', 'bounty_id')
      .where((where) =>
        where.or([
          where('deposits.status', '=', 'refunding'),
          where.and([where('deposits.status', '=', 'locked'), where('bounties.status', '=', 'cancelled')]),
        ]),
      )
      .execute(),
  ])
  note('transaction', transactions)
  note('payout', payouts)
  note('activation', activations)
  note('relay', relays)
  note('deposit', deposits)
  if (!fellBack) note('submission', submissions)
  return problems
}

/** An active project has a token at its address, whose only maker is one deploy; a proposed one has none. */
async function wrongProjects({ fixture, node, db, since }: Evidence): Promise<string[]> {
  const created = await node.getLogs({
    address: fixture.projectFactory,
    event: parseAbiItem(
      'event ProjectCreated(bytes32 indexed projectKey, address indexed creator, address indexed founder, address token, address curve, uint256 supply, string name, string symbol)',
    ),
    fromBlock: since + 1n,
    toBlock: 'latest',
  })
  const problems: string[] = []
  const rows = await db.selectFrom('projects').select(['id', 'status', 'token_address']).execute()
  const tokens = new Set(created.map(({ args }) => args.token!.toLowerCase()))
  if (tokens.size !== created.length) problems.push('a token was made twice')
  const active = rows.filter(
    ({ id, status }) => status === 'active' && fixture.proposals.some((proposal) => proposal.id === id),
  )
  for (const { id, token_address } of active)
    if (!tokens.delete((token_address as string).toLowerCase()))
      problems.push(`${id} is active without a token`)
  if (tokens.size > 0) problems.push(`${tokens.size} tokens belong to no active project`)
  return problems
}
