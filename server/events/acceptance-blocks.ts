/** Those of the next that only the contributor or the operator can end. */
export const blockedByOthers = [
  'contributor_wallet_missing',
  'contributor_wallet_is_founders',
  'payouts_disabled',
] as const

/** Why what was merged cannot be paid yet; the codes of an approval that would be refused. */
export const acceptanceBlocks = [
  'insufficient_funds',
  'payout_limit_reached',
  'dollars_lock_over',
  ...blockedByOthers,
] as const
