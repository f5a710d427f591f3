import { MarketplaceError } from './core/errors.ts'
import type { CallInput, Route } from './core/request.ts'
import type { BountiesRequestChangesRequest, Task } from './generated/schema.ts'

/** What a caller adds to the body of a step: the fields that its `missing` names, and those that may be left out. */
export interface TaskFields extends Partial<BountiesRequestChangesRequest> {
  /** For `submit`. */
  pr_url?: string | undefined
  /** For `approve`: the commit that was reviewed. */
  expected_head_sha?: string | undefined
  /** For `comment`. */
  text?: string | undefined
  /** For `set_wallet`. */
  wallet_address?: string | undefined
  /** For `release` and `retract`. */
  reason?: string | undefined
  [field: string]: unknown
}

/** Which step of a task to take, and what to add to its body. */
export interface Choice {
  /** The `action` of the task's `request` or of one of its `choices`. Default: the `request`. */
  choice?: string | undefined
  fields?: TaskFields | undefined
}

/** A step may wait for the chain, as an approval does. */
const timeoutMs = 100_000

/** See `Marketplace.perform`. */
export function requestOf(
  { request, choices }: Pick<Task, 'request' | 'choices'>,
  { choice = request.action, fields = {} }: Choice,
): { route: Route } & CallInput {
  const steps = [request, ...choices]
  const step = steps.find(({ action }) => action === choice)
  if (!step) {
    const names = steps.map(({ action }) => action).join(', ')
    throw new MarketplaceError(`The task has no step ${choice}. It has: ${names}.`)
  }
  const absent = step.missing.filter((name) => fields[name] === undefined)
  if (absent.length > 0) throw new MarketplaceError(`${step.action} needs ${absent.join(', ')}`)
  // Whatever a model wrote, it cannot replace what the marketplace has filled in.
  const body = { ...fields, ...step.body }
  const hasBody = step.method !== 'GET' && Object.keys(body).length > 0
  return {
    route: `${step.method} ${step.path as `/${string}`}`,
    body: hasBody ? body : undefined,
    timeoutMs,
    expects: '*',
  }
}
