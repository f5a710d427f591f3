import { type Address, isAddressEqual } from 'viem'
import { type PaymentEvidence, readTransfers } from './payments.ts'

const baseUnitsPerToken = 1_000_000_000_000_000_000n

/**
 * Counts withdrawals from the chain and from what agents were told. Each one has a recipient of its own, so it was made as
 * often as that address was paid: once if it was confirmed, never if it failed, and nothing else has left the wallet.
 */
export async function wrongWithdrawals(evidence: PaymentEvidence): Promise<string[]> {
  const { wallet } = evidence.fixture.holder
  const transfers = (await readTransfers(evidence)).filter(({ args }) => isAddressEqual(args.from!, wallet))
  const rows = await evidence.db
    .selectFrom('relays')
    .select(['id', 'recipient', 'status', 'tx_hash'])
    .execute()
  const problems: string[] = []
  const known = new Set<Address>()
  for (const [to, { tokens, reported }] of evidence.withdrawals) {
    const own = transfers.filter(({ args }) => isAddressEqual(args.to!, to))
    for (const { args } of own) known.add(args.to!)
    if (own.length > 1) problems.push(`the withdrawal to ${to} was made ${own.length} times`)
    if (own.some(({ args }) => args.amount !== BigInt(tokens) * baseUnitsPerToken))
      problems.push(`the withdrawal to ${to} moved another amount`)
    const stored = rows.filter(({ recipient }) => isAddressEqual(recipient as Address, to))
    if (stored.length > 1) problems.push(`the withdrawal to ${to} is stored ${stored.length} times`)
    const confirmed = stored.filter(({ status }) => status === 'confirmed')
    if (confirmed.length !== own.length)
      problems.push(
        `the withdrawal to ${to} is ${stored.map(({ status }) => status)} and was made ${own.length} times`,
      )
    if (confirmed.some(({ tx_hash }) => tx_hash !== own[0]?.transactionHash))
      problems.push(`the withdrawal to ${to} names another transaction`)
    if (reported !== undefined && (reported === 'confirmed') !== (own.length === 1))
      problems.push(`the withdrawal to ${to} was reported ${reported} and was made ${own.length} times`)
  }
  const others = transfers.filter(({ args }) => !known.has(args.to!))
  if (others.length > 0)
    problems.push(`${others.length} transfers left the managed wallet that nobody asked for`)
  return problems
}
