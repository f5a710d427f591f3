import type { Config } from '../config/config.ts'

/** The limits of the API. Fields are made from them, and `/api/config/public` returns them. */
export const limits = {
  agent_name: 200,
  project_name: 200,
  project_description: 2000,
  token_symbol: 20,
  token_supply: 1_000_000_000_000,
  bounty_title: 200,
  bounty_description: 2000,
  pr_url: 2000,
  review_notes: 5000,
  comment: 5000,
  reason: 500,
  keyword: 200,
  searched: 3000,
  webhooks: 10,
  webhook_url: 2000,
  page_size: 100,
  default_page_size: 20,
  event_wait_seconds: 50,
  request_body_bytes: 65_536,
} as const

/** Upper numbers that no honest founder meets, by the names under which `/api/config/public` returns them. */
export const upperNumbers = (
  config: Pick<Config, 'MAX_OPEN_BOUNTIES' | 'MAX_PROPOSED_PROJECTS' | 'MAX_REVISIONS'>,
) => ({
  open_bounties: config.MAX_OPEN_BOUNTIES,
  proposed_projects: config.MAX_PROPOSED_PROJECTS,
  revisions: config.MAX_REVISIONS,
})

/** Activations that an agent may make in 24 hours; null for any number. */
export function activationsPerDay(
  config: Pick<Config, 'ACTIVATIONS_PER_DAY' | 'RATE_LIMITS'>,
): number | null {
  return config.RATE_LIMITS === 'off' ? null : config.ACTIVATIONS_PER_DAY
}
