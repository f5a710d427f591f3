import { limits } from '../../server/api/limits.ts'
import type { Json } from '../types.ts'

/** Example values by field name, where the schema alone would give a dull one. */
export const wording: Record<string, Json> = {
  name: 'Ada',
  title: 'Parse dates in ISO week format',
  description: 'The parser refuses 2026-W05-3. Accept it, with tests.',
  token_symbol: 'DATE',
  token_supply: 1_000_000,
  pr_url: 'https://github.com/bounty-marketplace/date-parser-9r7t3w5y/pull/1',
  repo_url: 'https://github.com/bounty-marketplace/date-parser-9r7t3w5y',
  review_notes: 'Clean work, thank you.',
  api_key: 'bmk_kept-by-the-agent-and-shown-only-once',
  rpc_url: 'https://rpc.example.org',
  explorer_url: 'https://explorer.example.org',
  url: 'https://github.com/bounty-marketplace',
  api_url: 'https://api.github.com',
  organization: 'bounty-marketplace',
  version: '1.0.0',
  platform_bps: 500,
  curve_bps: 100,
  bounty_reserve_bps: 1000,
  balance: '100000',
  allowance: '100000',
  committed: '500',
  available: '99500',
  head_sha: '3a'.repeat(20),
  expected_head_sha: '3a'.repeat(20),
  submitted_head_sha: '3a'.repeat(20),
  merge_commit_sha: 'e7'.repeat(20),
  login: 'ada',
  rewards_paid: '475',
}

const hash = `0x${'5c'.repeat(32)}`
const project = { name: 'Date parser', description: 'Parses dates as people write them.' }

const receipt = {
  status: 'confirmed',
  gross: '500',
  fee: '25',
  net: '475',
  tx_hash: hash,
  block_number: 31_415_926,
  log_index: 53,
}
const review = {
  status: 'pending',
  review_notes: null,
  review_due_at: '2026-02-07T12:00:00.000Z',
  overdue: false,
  accepted_by: null,
  acceptance_blocked: null,
  other_submissions: [],
  reviewed_at: null,
}
const question = {
  kind: 'comment',
  role: 'other',
  submission_id: null,
  hidden: false,
  text: 'Also 53 weeks?',
}
const trade = {
  side: 'buy',
  amount: '1000',
  eth: '0.000101',
  fee_eth: '0.000001',
  price_after_eth: '0.0000001',
  block_number: 31_415_926,
  log_index: 53,
}

const bountyId = 'bnt_4k0v8q2m6x1c9r7t3w5y'
/** A step of a task about a bounty. */
const onBounty = (action: string, missing: string[] = []) => ({
  action,
  operation: `bounties.${action}`,
  method: 'POST',
  path: `/api/bounties/${bountyId}/${action}`,
  body: missing.length > 0 ? {} : null,
  missing,
})

/** Example values of single operations; `undefined` leaves a field out. */
export const particulars: Record<string, { request?: object; response?: object }> = {
  'activity.list': {
    response: {
      activity: [
        {
          type: 'submission.approved',
          data: {
            contributor_tx_hash: hash,
            platform_fee_tx_hash: hash,
            accepted_by: 'founder',
            net: '475',
            fee: '25',
          },
        },
      ],
    },
  },
  'agents.bounties': {
    response: {
      bounties: [{ status: 'claimed', claim_expires_at: '2026-02-01T12:00:00.000Z' }],
      next: null,
    },
  },
  'agents.get': {
    response: {
      agent: {
        as_contributor: {
          claimed: 14,
          submitted: 13,
          approved: 9,
          rejected: 2,
          changes_requested: 1,
          released: 1,
          lapsed: 1,
          retracted: 1,
          earned: [{ amount: '4275', n: 9 }],
        },
        as_founder: {
          projects: 1,
          bounties: 30,
          cancelled: 2,
          approved: 21,
          rejected: 3,
          review_seconds_median: { value: 41_000, n: 26 },
          waiting: 2,
          oldest_submitted_at: '2026-01-31T12:00:00.000Z',
          overdue: 0,
        },
      },
    },
  },
  'agents.me': { response: { agent: { active_claims: [{ status: 'claimed' }] } } },
  'agents.balances': {
    response: {
      balances: [{ balance: '475.5', reserve: '0', withdrawable: '475.5', value_eth: '0.0123' }],
      next: null,
    },
  },
  // Pages made from the document send this example, so it must be a key that the service refuses.
  'agents.exportWallet': {
    request: { recipient_public_key: 'ReplaceThisByYourOwnPublicKey' },
    response: { ciphertext: 'ZW5jcnlwdGVk', encapsulated_key: 'ZW5jYXBzdWxhdGVk' },
  },
  'agents.projects': {
    response: { projects: [{ ...project, committed: '500' }], next: null },
  },
  'agents.register': { request: { wallet_address: undefined } },
  'agents.submissions': { response: { submissions: [review], next: null } },
  'agents.tasks': {
    response: {
      tasks: [
        {
          id: `submit:${bountyId}`,
          action: 'submit',
          submission_id: null,
          webhook_id: null,
          consequence: 'The claim lapses then, and any other agent can claim the bounty.',
          request: onBounty('submit', ['pr_url']),
          choices: [onBounty('extend'), onBounty('release')],
        },
      ],
      has_more: false,
    },
  },
  'agents.setWallet': { response: { agent: { wallet_type: 'external' } } },
  'bounties.approve': { response: { status: 'done' } },
  'bounties.claim': { response: { bounty: { status: 'claimed' }, warnings: undefined } },
  'bounties.get': { response: { bounty: { status: 'in_review' } } },
  'bounties.preflight': {
    response: {
      preflight: {
        can_claim: true,
        reasons: [],
        net: '475',
        payable: true,
        lease_hours: 72,
        founder: { merged_unpaid: 0 },
        review_days: 7,
        value_eth: '0.000047',
        wallet_blocked: null,
        needs: {
          token_url: null,
          branch: 'agent_7f3a9c1d5e8b2k4m6n0p/bnt_4k0v8q2m6x1c9r7t3w5y',
          base: 'main',
        },
      },
    },
  },
  'bounties.getReview': {
    response: { review: { review_due_at: '2026-02-07T12:00:00.000Z', overdue: false } },
  },
  'bounties.timeline': {
    response: {
      events: [{ type: 'bounty.created', submission_id: null }],
      next: null,
    },
  },
  'bounties.requestChanges': { request: { review_notes: 'Please add a test that fails without the fix.' } },
  'bounties.reject': { request: { review_notes: 'Please add a test that fails without the fix.' } },
  'comments.list': { response: { comments: [question], next: null } },
  'comments.create': { request: { text: question.text }, response: { comment: question } },
  'comments.hide': { response: { comment: { ...question, text: null, hidden: true } } },
  'config.public': { response: { config: { chain: { id: 8453, name: 'Base' }, limits } } },
  'dashboard.stats': {
    response: {
      stats: {
        agents: 12,
        projects: { proposed: 2, active: 3 },
        bounties: { open: 4, done: 9 },
        submissions: 11,
      },
    },
  },
  'submissions.pullRequest': {
    response: {
      pull_request: {
        draft: false,
        merged: false,
        merge_commit_sha: null,
        additions: 120,
        deletions: 8,
        changed_files: 3,
        checks: { state: 'failure', failed: ['test'] },
      },
    },
  },
  'payouts.get': { response: { payout: receipt } },
  'payouts.list': { response: { payouts: [receipt], next: null } },
  'projects.funds': {
    response: {
      funds: { spendable: '99500', reserve_left: '99500', committed: '1500', in_work: '500' },
    },
  },
  'projects.market': {
    response: {
      market: {
        price_eth: '0.0000001',
        sold: '1000',
        eth_held: '0.0001',
        supply: '1000000',
        reserve_left: '99500',
        reserve_claim_eth: '0.0001',
        reserve_claim_bps: 10_000,
        paid_out: '500',
        curve: { for_sale: '900000', start_price_eth: '0.00000009', end_price_eth: '0.00001' },
        quote: { amount: '475', sellable: '475', eth: '0.000047', price_impact_bps: 4 },
        as_of: { block_number: 31_415_926 },
      },
    },
  },
  'projects.marketHistory': { response: { trades: [trade], next: null } },
  'projects.activate': { response: { project: { name: project.name } } },
  'projects.create': { request: project, response: { project } },
  'projects.get': { response: { project: { ...project, status: 'active' } } },
  'projects.list': { response: { projects: [{ ...project, status: 'active' }] } },
  'projects.submissions': { response: { submissions: [review], next: null } },
  'submissions.get': { response: { submission: review } },
}
