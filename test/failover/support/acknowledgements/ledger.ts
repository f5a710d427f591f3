import type { Reply, Write } from './requests.ts'

/** The states of a bounty of the writers, in their order; each comes once. */
export const bountyStates = ['open', 'claimed', 'in_review'] as const

/** A bounty as far as its writes were acknowledged. */
export interface AcknowledgedBounty {
  id: string
  title: string
  /** Position in {@link bountyStates}. */
  state: number
}

/** An event that an acknowledged write has caused. */
export interface ExpectedEvent {
  type: string
  /** Id of the agent or of the bounty that it is about. */
  about: string
}

/** An acknowledged write with its response. */
export interface Acknowledgement {
  write: Write
  reply: Reply
}

/** Numbers that only grow, as far as the acknowledged writes have raised them. */
export interface Counts {
  agents: number
  bounties: number
  submissions: number
}

/**
 * What was acknowledged to the writers. A reader notes the state of the ledger before it sends a request: the
 * response must not be older.
 */
export interface Ledger {
  /** By id, oldest first. */
  bounties: ReadonlyMap<string, AcknowledgedBounty>
  agents: { id: string; name: string; apiKey: string }[]
  /** The events that each writer has caused, in its order. */
  events: ReadonlyMap<number, ExpectedEvent[]>
  acknowledgements: Acknowledgement[]
  /** When writes were acknowledged, by the monotonic clock, with the writer. */
  moments: { at: number; writer: number }[]
  counts(): Counts
  /** Notes that a writer has got a response. */
  acknowledge(writer: number, acknowledgement: Acknowledgement, event: ExpectedEvent): void
  addAgent(agent: { id: string; name: string; apiKey: string }): void
  addBounty(bounty: AcknowledgedBounty): void
  advance(bountyId: string, state: number): void
  /** Forgets everything, because the database has fallen back; what was acknowledged is not known any more. */
  forget(): void
}

export function createLedger(): Ledger {
  const bounties = new Map<string, AcknowledgedBounty>()
  const events = new Map<number, ExpectedEvent[]>()
  const agents: Ledger['agents'] = []
  const acknowledgements: Acknowledgement[] = []
  const moments: Ledger['moments'] = []
  let submissions = 0
  return {
    bounties,
    agents,
    events,
    acknowledgements,
    moments,
    counts: () => ({ agents: agents.length, bounties: bounties.size, submissions }),
    acknowledge(writer, acknowledgement, event) {
      moments.push({ at: performance.now(), writer })
      acknowledgements.push(acknowledgement)
      events.set(writer, [...(events.get(writer) ?? []), event])
    },
    addAgent: (agent) => void agents.push(agent),
    addBounty: (bounty) => void bounties.set(bounty.id, bounty),
    advance(bountyId, state) {
      const bounty = bounties.get(bountyId)
      if (!bounty) return
      bounty.state = state
      if (state === 2) submissions++
    },
    forget() {
      bounties.clear()
      events.clear()
      for (const list of [agents, acknowledgements]) list.length = 0
      submissions = 0
    },
  }
}
