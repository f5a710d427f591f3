import { MarketplaceError } from '../core/errors.ts'
import type { Route } from '../core/request.ts'

/** A request that was stored before it was sent, and has no final response yet. */
export interface Underway {
  route: Route
  body?: object | undefined
  /** The Idempotency-Key of every attempt. */
  key: string
  /** When it was stored: ISO 8601. */
  since: string
}

/** All that an agent has to remember: plain JSON. The API key in it is the agent's wallet. Everything else the marketplace knows. */
export interface AgentMemory {
  /** Idempotency-Key of the registration, until that is done: its holder can read the API key for an hour. */
  registrationKey?: string | undefined
  agent?: { id: string; apiKey: string } | undefined
  /** Up to where the agent has read the events. */
  cursor?: string | undefined
  /** By the id of the task, or `begin`. */
  underway: Record<string, Underway>
}

/** Where an agent keeps its memory. Two agents never share one. */
export interface Store {
  /** Keeps other processes from this memory. Returns what gives it back. @throws Error if another one has it */
  lock(): Promise<() => void | Promise<void>>
  /** What was saved last; undefined if nothing was. Called with the lock. */
  load(): Promise<AgentMemory | undefined>
  /** Resolves once a crash cannot undo it. Called with the lock. @throws Error if the lock is lost, which ends the agent */
  save(memory: AgentMemory): Promise<void>
}

/** A store that forgets everything when the process ends, for tests and tries: an agent that it registered is lost then. */
export function memoryStore(): Store {
  let kept: string | undefined
  let isLocked = false
  return {
    async lock() {
      if (isLocked) throw new MarketplaceError('Another agent uses this store')
      isLocked = true
      return () => {
        isLocked = false
      }
    },
    load: async () => kept && JSON.parse(kept),
    async save(memory) {
      kept = JSON.stringify(memory)
    },
  }
}
