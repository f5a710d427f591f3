import type { z } from 'zod'
import { hasExtensionLeft, hasNotLapsed } from '../../../lifecycle/conditions.ts'
import { toDecimal, toDollars } from '../../../money/chain/units.ts'
import { splitReward } from '../../../money/payouts/platform-fee.ts'
import type { Services } from '../../../services.ts'
import { consequences } from './consequences.ts'
import type { OwnClaim, TaskRow } from './queries.ts'
import type { task } from './schema.ts'

type Task = z.input<typeof task>
type Step = Task['request']
type Steps = [Step, ...Step[]]
type Submitting = OwnClaim & { bounty_id: string; pr_url: string | null }
type Needed = Pick<Services, 'routes' | 'wallets' | 'config'>

/** A row as it is returned. */
export function presentTask(row: TaskRow, services: Needed): Task {
  const { id, action, fields, due_at, revision } = row
  const state = 'has_lapsed' in fields ? stateOf(fields) : row.state
  const inState: Record<string, string> = consequences[action]
  const [request, ...choices] = stepsOf(row, services)
  return {
    id,
    action,
    project_id: null,
    bounty_id: null,
    submission_id: null,
    webhook_id: null,
    ...fields,
    revision,
    due_at,
    consequence: `${inState[state] ?? ''}${paymentOf(row, services.config.PLATFORM_FEE_BPS)}`,
    request,
    choices,
  }
}

/** What an approval pays. The fee of a payout that has begun is the one of that time. */
function paymentOf({ action, reward_amount, dollars }: TaskRow, feeBps: number): string {
  if (reward_amount === null || (action !== 'review' && action !== 'approve')) return ''
  const { net, fee } = splitReward(reward_amount, feeBps)
  const parts = `: ${toDecimal(net)} for the contributor, ${toDecimal(fee)} platform fee`
  const locked =
    dollars === null
      ? ''
      : ` With them it pays the ${toDollars(BigInt(dollars))} locked dollars, less the fee.`
  return ` The reward is ${reward_amount} tokens${action === 'review' ? parts : ''}.${locked}`
}

/** The state of a claim, by the conditions under which it can be extended. One whose work is merged needs no more time. */
function stateOf(claim: OwnClaim) {
  if (claim.is_merged) return 'merged'
  if (!hasNotLapsed.holds(claim)) return 'lapsed'
  if (claim.is_unproved) return 'unproved'
  return canExtend(claim) ? 'extendable' : 'final'
}

/** Before any work was seen there is no commit that could extend it. */
const canExtend = (claim: OwnClaim) =>
  !claim.is_unproved && hasNotLapsed.holds(claim) && hasExtensionLeft.holds(claim)

/** Makes requests; `id` is the one in the path. Those of `values` that are null are for the agent to add. */
function stepsAt(routes: Needed['routes']) {
  return (name: string, operation: string, id: string | null, values?: Record<string, unknown>): Step => {
    const route = routes.get(operation)
    if (!route) throw new Error(`there is no operation ${operation}`)
    const entries = Object.entries(values ?? {})
    return {
      action: name,
      operation,
      method: route.method,
      path: route.path.replace('{id}', id ?? ''),
      body: values ? Object.fromEntries(entries.filter(([, value]) => value !== null)) : null,
      missing: entries.filter(([, value]) => value === null).map(([name]) => name),
    }
  }
}

/** What can be done about a task. An agent may take the first step without thinking: it ends nobody's work. */
function stepsOf({ action, state, fields }: TaskRow, { routes, wallets }: Needed): Steps {
  const step = stepsAt(routes)
  const readPull = (submission_id: string) =>
    step('read_pull_request', 'submissions.pullRequest', submission_id)
  const approve = (bounty_id: string, submission_id: string, expected_head_sha: string | null) =>
    step('approve', 'bounties.approve', bounty_id, { submission_id, expected_head_sha })
  const submit = ({ bounty_id, pr_url, ...claim }: Submitting): Steps => {
    const submission = step('submit', 'bounties.submit', bounty_id, { pr_url })
    if (claim.is_merged) return [submission]
    const extension = canExtend(claim) ? [step('extend', 'bounties.extend', bounty_id)] : []
    return [submission, ...extension, step('release', 'bounties.release', bounty_id)]
  }
  switch (action) {
    case 'submit':
      return submit(fields)
    case 'revise':
      return [step('read_review', 'submissions.get', fields.submission_id), ...submit(fields)]
    case 'repair_pull_request':
    case 'retract':
      return [readPull(fields.submission_id), step('retract', 'submissions.retract', fields.submission_id)]
    case 'activate':
      return [step('activate', 'projects.activate', fields.project_id)]
    case 'repair_repository':
      return [step('read_repository', 'projects.getRepository', fields.project_id)]
    case 'review': {
      const { bounty_id, submission_id } = fields
      const review = { submission_id, review_notes: null }
      const payment: Steps = [readPull(submission_id), approve(bounty_id, submission_id, null)]
      if (state === 'blocked') return payment
      return [
        ...payment,
        step('request_changes', 'bounties.requestChanges', bounty_id, review),
        step('reject', 'bounties.reject', bounty_id, review),
      ]
    }
    case 'approve': {
      const { bounty_id, submission_id, head_sha } = fields
      const again = approve(bounty_id, submission_id, head_sha)
      return head_sha === null ? [readPull(submission_id), again] : [again]
    }
    case 'merge': {
      const { bounty_id, submission_id, head_sha } = fields
      const body = head_sha === null ? {} : { expected_head_sha: head_sha }
      return [step('merge', 'bounties.merge', bounty_id, body), readPull(submission_id)]
    }
    case 'reply':
    case 'read':
      return [
        step('read_comments', 'comments.list', fields.bounty_id),
        step('comment', 'comments.create', fields.bounty_id, { text: null }),
      ]
    case 'set_wallet':
      return [
        step('set_wallet', 'agents.setWallet', null, { wallet_address: null }),
        ...(wallets ? [step('generate_wallet', 'agents.generateWallet', null)] : []),
      ]
    case 'check_wallet':
      return stepsOfCheck(step, fields.checksummed)
    case 'repair_webhook':
      return stepsOfRepair(step, fields.webhook_id, state === 'failing')
  }
}

const stepsOfRepair = (step: ReturnType<typeof stepsAt>, id: string, isEnabled: boolean): Steps => [
  isEnabled
    ? step('test_webhook', 'webhooks.test', id)
    : step('enable_webhook', 'webhooks.update', id, { enabled: true }),
  step('read_deliveries', 'webhooks.deliveries', id),
  step('delete_webhook', 'webhooks.delete', id),
]

/** An agent takes the first step without thinking, and would confirm a wrong address that way. */
const stepsOfCheck = (step: ReturnType<typeof stepsAt>, wallet_address: string): Steps => [
  step('set_wallet', 'agents.setWallet', null, { wallet_address: null }),
  step('confirm_wallet', 'agents.setWallet', null, { wallet_address }),
]
