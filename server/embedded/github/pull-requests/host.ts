import type { Addresses } from '../bodies.ts'
import type { StoredRepository } from '../entries.ts'
import type { Code } from '../git/code.ts'
import type { Store } from '../store.ts'

/** Notifies the marketplace of an event in a repository. `payload` has what is special about the event. */
export type Deliver = (
  repository: StoredRepository,
  sender: string,
  event: string,
  payload: Record<string, unknown>,
) => void

/** What pull requests need of the code host. */
export interface Host {
  store: Store
  code: Code | undefined
  addresses: Addresses
  deliver: Deliver
}
