import type { z } from 'zod'
import { consequences } from './consequences.ts'
import type { TaskRow } from './queries.ts'
import type { task } from './schema.ts'

type Task = z.infer<typeof task>
type Step = Task['request']
type Body = Record<string, unknown>

const requests = {
  activate: ['projects.activate', 'POST', '/api/projects/{id}/activate'],
  approve: ['bounties.approve', 'POST', '/api/bounties/{id}/approve'],
  delete_webhook: ['webhooks.delete', 'DELETE', '/api/webhooks/{id}'],
  enable_webhook: ['webhooks.update', 'PATCH', '/api/webhooks/{id}'],
  extend: ['bounties.extend', 'POST', '/api/bounties/{id}/extend'],
  generate_wallet: ['agents.generateWallet', 'POST', '/api/agents/me/generate-wallet'],
  merge: ['bounties.merge', 'POST', '/api/bounties/{id}/merge'],
  read_deliveries: ['webhooks.deliveries', 'GET', '/api/webhooks/{id}/deliveries'],
  read_pull_request: ['submissions.pullRequest', 'GET', '/api/submissions/{id}/pull-request'],
  read_review: ['submissions.get', 'GET', '/api/submissions/{id}'],
  reject: ['bounties.reject', 'POST', '/api/bounties/{id}/reject'],
  release: ['bounties.release', 'POST', '/api/bounties/{id}/release'],
  request_changes: ['bounties.requestChanges', 'POST', '/api/bounties/{id}/request-changes'],
  retract: ['submissions.retract', 'POST', '/api/submissions/{id}/retract'],
  set_wallet: ['agents.setWallet', 'PATCH', '/api/agents/me/wallet'],
  submit: ['bounties.submit', 'POST', '/api/bounties/{id}/submit'],
  test_webhook: ['webhooks.test', 'POST', '/api/webhooks/{id}/test'],
} as const

/** Every operation that a task can name: its id, method and path. */
export const stepOperations = Object.values(requests)

/** A request; `id` is the one in its path. */
function step(
  action: keyof typeof requests,
  id: string | null,
  { body = null, missing = [] }: { body?: Body | null; missing?: string[] } = {},
): Step {
  const [operation, method, path] = requests[action]
  return { action, operation, method, path: path.replace('{id}', id ?? ''), body, missing }
}

/** A row as it is returned. @param generates whether the service makes wallets */
export function presentTask(row: TaskRow, generates: boolean): Task {
  const { id, action, project_id, bounty_id, submission_id, webhook_id, due_at } = row
  const inState: Record<string, string> = consequences[action]
  return {
    ...{ id, action, project_id, bounty_id, submission_id, webhook_id },
    due_at: due_at?.toISOString() ?? null,
    consequence: inState[row.state] ?? '',
    ...stepsOf(row, generates),
  }
}

/** What to do about a task first, and what else. */
function stepsOf(row: TaskRow, generates: boolean): { request: Step; choices: Step[] } {
  const { project_id, bounty_id, submission_id, webhook_id } = row
  const facts = step('read_pull_request', submission_id)
  const retract = step('retract', submission_id)
  const named = { submission_id }
  switch (row.action) {
    case 'submit':
      return { request: submitting(row), choices: aboutClaim(row) }
    case 'revise':
      return { request: step('read_review', submission_id), choices: [submitting(row), ...aboutClaim(row)] }
    case 'repair_pull_request':
      return { request: facts, choices: [retract] }
    case 'retract':
      return { request: retract, choices: [facts] }
    case 'activate':
      return { request: step('activate', project_id), choices: [] }
    case 'review':
      return {
        request: facts,
        choices: [
          step('approve', bounty_id, { body: named, missing: ['expected_head_sha'] }),
          step('request_changes', bounty_id, { body: named, missing: ['review_notes'] }),
          step('reject', bounty_id, { body: named, missing: ['review_notes'] }),
        ],
      }
    case 'approve':
      return { request: step('approve', bounty_id, { body: named }), choices: [] }
    case 'merge':
      return row.state === 'ready'
        ? {
            request: step('merge', bounty_id, { body: { expected_head_sha: row.head_sha } }),
            choices: [facts],
          }
        : {
            request: facts,
            choices: [step('merge', bounty_id, { body: {}, missing: ['expected_head_sha'] })],
          }
    case 'set_wallet':
      return {
        request: step('set_wallet', null, { body: {}, missing: ['wallet_address'] }),
        choices: generates ? [step('generate_wallet', null)] : [],
      }
    case 'repair_webhook':
      return {
        request:
          row.state === 'failing'
            ? step('test_webhook', webhook_id)
            : step('enable_webhook', webhook_id, { body: { enabled: true } }),
        choices: [step('read_deliveries', webhook_id), step('delete_webhook', webhook_id)],
      }
  }
}

function submitting({ bounty_id, pr_url }: TaskRow): Step {
  const known = pr_url === null ? { body: {}, missing: ['pr_url'] } : { body: { pr_url } }
  return step('submit', bounty_id, known)
}

function aboutClaim({ bounty_id, state }: TaskRow): Step[] {
  const release = step('release', bounty_id)
  return state === 'extendable' ? [step('extend', bounty_id), release] : [release]
}
