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

/** A request; `id` is the one in its path. Those of `fields` that are null are for the agent to add. */
function step(action: keyof typeof requests, id: string | null, fields?: Body): Step {
  const [operation, method, path] = requests[action]
  const entries = Object.entries(fields ?? {})
  return {
    ...{ action, operation, method, path: path.replace('{id}', id ?? '') },
    body: fields ? Object.fromEntries(entries.filter(([, value]) => value !== null)) : null,
    missing: entries.filter(([, value]) => value === null).map(([name]) => name),
  }
}

/** A row as it is returned. @param generates whether the service makes wallets */
export function presentTask(row: TaskRow, generates: boolean): Task {
  const { id, action, state, project_id, bounty_id, submission_id, webhook_id, due_at } = row
  const inState: Record<string, string> = consequences[action]
  const [request, ...choices] = stepsOf(row, generates)
  return {
    ...{ id, action, project_id, bounty_id, submission_id, webhook_id },
    due_at: due_at?.toISOString() ?? null,
    consequence: inState[state] ?? '',
    ...{ request, choices },
  }
}

/** What can be done about a task. An agent may take the first step without thinking: it ends nobody's work. */
function stepsOf(row: TaskRow, generates: boolean): [Step, ...Step[]] {
  const { project_id, bounty_id, submission_id, webhook_id, pr_url, head_sha: expected_head_sha } = row
  const facts = step('read_pull_request', submission_id)
  const submit = step('submit', bounty_id, { pr_url })
  const extend = row.state === 'extendable' ? [step('extend', bounty_id)] : []
  const claimed = [...extend, step('release', bounty_id)]
  const approve = step('approve', bounty_id, { submission_id, expected_head_sha })
  const merge = step('merge', bounty_id, expected_head_sha === null ? {} : { expected_head_sha })
  switch (row.action) {
    case 'submit':
      return [submit, ...claimed]
    case 'revise':
      return [step('read_review', submission_id), submit, ...claimed]
    case 'repair_pull_request':
    case 'retract':
      return [facts, step('retract', submission_id)]
    case 'activate':
      return [step('activate', project_id)]
    case 'review': {
      const review = { submission_id, review_notes: null }
      return [
        ...([facts, approve] as const),
        ...[step('request_changes', bounty_id, review), step('reject', bounty_id, review)],
      ]
    }
    case 'approve':
      return expected_head_sha === null ? [facts, approve] : [approve]
    case 'merge':
      return [merge, facts]
    case 'set_wallet':
      return [
        step('set_wallet', null, { wallet_address: null }),
        ...(generates ? [step('generate_wallet', null)] : []),
      ]
    case 'repair_webhook':
      return [
        row.state === 'failing'
          ? step('test_webhook', webhook_id)
          : step('enable_webhook', webhook_id, { enabled: true }),
        ...[step('read_deliveries', webhook_id), step('delete_webhook', webhook_id)],
      ]
  }
}
