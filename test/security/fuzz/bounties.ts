import type { TestAgent } from '../../support/scenarios.ts'

/** Few enough that a request often meets what an earlier one has prepared. */
const mostOpen = 12

/** What a claimant does with its claim. */
const ofClaimant = new Set(['bounties.submit', 'bounties.extend', 'bounties.release'])
/** What claimants and founders do with a claim. */
export const onClaims = new Set([...ofClaimant, 'bounties.dismiss'])
const endingClaims = [
  'bounties.approve',
  'bounties.reject',
  'bounties.release',
  'bounties.dismiss',
  'submissions.retract',
]
/** What a founder does with a submission. */
export const reviewing = new Set(['bounties.approve', 'bounties.reject', 'bounties.requestChanges'])

/** Who has which part in the bounties that exist, so that some requests come from those who may make them. */
export interface FuzzBounties {
  ids(): string[]
  /** Those that somebody has claimed. */
  claimed(): string[]
  /** Whoever may do this with that bounty. */
  actor(operationId: string, id: string): TestAgent | undefined
  /** Takes over what a successful answer tells. */
  learn(operationId: string, id: string, by: TestAgent | undefined): void
}

/** @param first bounties to begin with, which stay */
export function createBounties(first: { id: string; founder: TestAgent }[]): FuzzBounties {
  const known = new Map<string, { founder: TestAgent | undefined; claimant?: TestAgent | undefined }>(
    first.map(({ id, founder }) => [id, { founder }]),
  )
  const lasting = new Set(known.keys())
  /** One that somebody has claimed is not forgotten: its claimant could claim no other ever after. */
  function forgetOldest(): void {
    const others = [...known].filter(([id, { claimant }]) => !lasting.has(id) && !claimant)
    if (others.length > mostOpen) known.delete(others[0]![0])
  }
  return {
    ids: () => [...known.keys()],
    claimed: () => [...known].flatMap(([id, { claimant }]) => (claimant ? [id] : [])),
    actor(operationId, id) {
      if (ofClaimant.has(operationId)) return known.get(id)?.claimant
      // The first bounties are cancelled only by chance, so that there is always something to claim.
      if (operationId === 'bounties.cancel') return lasting.has(id) ? undefined : known.get(id)?.founder
      const ofFounder =
        reviewing.has(operationId) ||
        ['bounties.dismiss', 'bounties.update', 'comments.hide'].includes(operationId)
      return ofFounder ? known.get(id)?.founder : undefined
    },
    learn(operationId, id, by) {
      const bounty = known.get(id)
      if (operationId === 'bounties.create') {
        known.set(id, { founder: by })
        forgetOldest()
      }
      if (!bounty) return
      if (operationId === 'bounties.claim') bounty.claimant = by
      if (endingClaims.includes(operationId)) bounty.claimant = undefined
      if (operationId === 'bounties.cancel') known.delete(id)
    },
  }
}
