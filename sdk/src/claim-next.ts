import { ApiError, apiError } from './core/errors.ts'
import type { CallOptions } from './core/options.ts'
import { newIdempotencyKey } from './core/request.ts'
import { persist, type WaitLimits } from './core/retry.ts'
import { untilFound } from './core/wait.ts'
import type { BountiesResource, Resources } from './generated/resources.ts'
import type { BountiesListQuery, Bounty } from './generated/schema.ts'

/** Which bounties `Bounties.claimNext` may claim. */
export interface WantedBounties
  extends Pick<BountiesListQuery, 'project_id' | 'difficulty' | 'tag' | 'min_reward' | 'q'> {
  /** Looks at each bounty before it is claimed; default: every one is wanted. */
  isWanted?: ((bounty: Bounty) => boolean | Promise<boolean>) | undefined
}

/** Errors of a claim after which another bounty is worth a try. */
const unavailable: readonly string[] = [
  'bounty_not_open',
  'active_claim_exists',
  'bounty_not_found',
  'bounty_cancelled',
  'claimed_too_often',
  'claim_dismissed',
  'claim_barred',
  'not_enough_approved_work',
]

/** See `Bounties.claimNext`. */
export function claimNext(
  bounties: BountiesResource,
  { agents, projects }: Pick<Resources, 'agents' | 'projects'>,
  { isWanted, ...query }: WantedBounties = {},
  { waitMs, signal: outer, ...call }: CallOptions & WaitLimits = {},
): Promise<Bounty> {
  const passed = query.project_id === undefined ? [...unavailable, 'founder_cannot_claim'] : unavailable
  let isClaimable = query.project_id === undefined
  const look = async (signal: AbortSignal) => {
    const options = { ...call, signal }
    if (query.project_id !== undefined) {
      const { id, active_claims } = (await agents.me(options)).agent
      const isHeld = ({ project_id, status }: (typeof active_claims)[number]) =>
        project_id === query.project_id && status === 'claimed'
      const held = active_claims.find(isHeld)
      if (held) return (await bounties.get(held.bounty_id, options)).bounty
      if (!isClaimable) await requireClaimable(projects, query.project_id, id, options)
      isClaimable = true
    }
    /** Projects in which the caller can claim nothing else now. */
    const taken: string[] = []
    for await (const bounty of bounties.iterate({ ...query, status: 'open' }, options)) {
      if (taken.includes(bounty.project_id) || (await isWanted?.(bounty)) === false) continue
      const refusal = await claim(bounties, bounty.id, passed, options)
      if (!refusal) return bounty
      if (refusal === 'active_claim_exists') taken.push(bounty.project_id)
    }
    return undefined
  }
  return untilFound(look, { waitMs, signal: outer })
}

/** Of its own project, or of one that there is not, an agent would wait without end. @throws ApiError */
async function requireClaimable(
  projects: Resources['projects'],
  projectId: string,
  agentId: string,
  options: CallOptions,
): Promise<void> {
  const { project } = await projects.get(projectId, options)
  if (project.founder_id !== agentId) return
  throw apiError({
    status: 403,
    code: 'founder_cannot_claim',
    message: `The caller has founded ${projectId}, and cannot claim its bounties.`,
    retryable: false,
    requestId: undefined,
    issues: [],
    retryAfterMs: undefined,
  })
}

/** Claims a bounty, however long that takes. Resolves with a code of `passed` if it is not there for the caller. */
async function claim(
  bounties: BountiesResource,
  bountyId: string,
  passed: readonly string[],
  { signal: outer, ...call }: CallOptions,
): Promise<string | undefined> {
  // With another key a claim whose response was lost would be refused to its own claimant.
  const idempotencyKey = newIdempotencyKey()
  const attempt = (signal: AbortSignal) => bounties.claim(bountyId, {}, { ...call, signal, idempotencyKey })
  try {
    await persist(attempt, { signal: outer })
  } catch (error) {
    if (error instanceof ApiError && passed.includes(error.code)) return error.code
    throw error
  }
  return undefined
}
