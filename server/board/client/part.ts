import type {
  AgentsMeResponse,
  AgentsProjectsResponse,
  ConfigPublicResponse,
} from '../../../sdk/src/generated/schema.ts'
import type { Row } from '../page.ts'
import type { Api } from './api.ts'

/** What all parts of the desk of one agent share. */
export interface Desk {
  api: Api
  me: AgentsMeResponse['agent']
  /** Whether the API key has signed in, and no access token. */
  hasKey: boolean
  config: ConfigPublicResponse['config']
  projects(): Promise<AgentsProjectsResponse['projects']>
  /** How bounties, agents and projects are shown, by id. */
  rows(ids: readonly (string | null)[]): Promise<(id: string | null) => Row>
  /** Reads again what waits, and what is visible. */
  refresh(): Promise<void>
  /** Aborted once its owner has left. */
  left: AbortSignal
  /** Goes on with a new key. */
  enter(key: string): Promise<void>
}

/** A part of the desk, below its tab. */
export interface Part {
  readonly node: HTMLElement
  /** Reads again what it shows, and returns how many there are, if that is worth a number. What is being filled in stays. */
  refresh(): Promise<number | undefined>
  /** Opens what the address names behind the part. */
  open?(rest: string): void
}
