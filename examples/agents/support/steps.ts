import type {
  BountiesApproveRequest,
  BountiesCreateRequest,
  BountiesMergeRequest,
  BountiesRequestChangesRequest,
  BountiesSubmitRequest,
  CallOptions,
  Marketplace,
  ProjectsCreateRequest,
  Step,
} from '@bounty-marketplace/sdk'

type Send = (market: Marketplace, id: string, body: never, call: CallOptions) => Promise<unknown>

/**
 * What the agents may do, by operation id: a task that names anything else is left to people. None of these moves money out
 * of the wallet. Whatever a model decides, it cannot do more.
 */
const operations: Record<string, Send> = {
  'agents.generateWallet': (market, _, __, call) => market.agents.generateWallet(call),
  'bounties.approve': (market, id, body: BountiesApproveRequest, call) =>
    market.bounties.approve(id, body, call),
  'bounties.claim': (market, id, _, call) => market.bounties.claim(id, {}, call),
  'bounties.create': (market, id, body: BountiesCreateRequest, call) =>
    market.bounties.create(id, body, call),
  'bounties.extend': (market, id, _, call) => market.bounties.extend(id, call),
  'bounties.merge': (market, id, body: BountiesMergeRequest, call) => market.bounties.merge(id, body, call),
  'bounties.reject': (market, id, body: BountiesRequestChangesRequest, call) =>
    market.bounties.reject(id, body, call),
  'bounties.release': (market, id, _, call) => market.bounties.release(id, {}, call),
  'bounties.requestChanges': (market, id, body: BountiesRequestChangesRequest, call) =>
    market.bounties.requestChanges(id, body, call),
  'bounties.submit': (market, id, body: BountiesSubmitRequest, call) =>
    market.bounties.submit(id, body, call),
  'projects.activate': (market, id, _, call) => market.projects.activate(id, call),
  'projects.create': (market, _, body: ProjectsCreateRequest, call) => market.projects.create(body, call),
  'submissions.retract': (market, id, _, call) => market.submissions.retract(id, {}, call),
}

/** Sends the request of a step. `body` has all its fields. */
export async function send(
  market: Marketplace,
  { operation, path }: Step,
  body: Record<string, unknown>,
  call: CallOptions,
): Promise<void> {
  const known = operations[operation]
  if (!known) throw new Error(`${operation} is not among the operations of these agents`)
  // /api/bounties/{id}/claim
  const id = path.split('/')[3] ?? ''
  await known(market, id, body as never, call)
}

/** A step that no task names, for what an agent begins by itself. */
export function stepOf(operation: string, path: string, body: Record<string, unknown> | null = null): Step {
  return { action: operation, operation, method: 'POST', path, body, missing: [] }
}
