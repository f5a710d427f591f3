/** What its name says needs no words. */
export const wordless = { description: '' }

/** The fields of a bounty that a tool creates or changes. */
export const fieldsOfBounty = {
  title: wordless,
  reward_amount: { description: 'In whole tokens.' },
  difficulty: wordless,
  tags: wordless,
  min_approved: { description: 'How many founders must have paid its claimant.' },
  acceptance: {
    description:
      'Your silence pays after so many hours of green checks, which must be green on main now. Only these paths may change.',
    properties: {
      checks: { type: 'array', items: { type: 'string' } },
      allowed_paths: { type: 'array', items: { type: 'string' } },
      hours: { type: 'integer' },
    },
  },
}
