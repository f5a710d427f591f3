/** Those of the next that only the contributor can end. */
export const blockedByContributor = ['contributor_wallet_missing', 'contributor_wallet_is_founders'] as const

/** Why what was merged cannot be paid yet; the codes of an approval that would be refused. */
export const acceptanceBlocks = [
  'insufficient_funds',
  'payouts_disabled',
  'payout_limit_reached',
  'dollars_lock_over',
  ...blockedByContributor,
] as const
