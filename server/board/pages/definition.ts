import type { Database } from '../../db/client.ts'
import type { CurveShape } from '../../money/chain/curve.ts'
import type { NoReading } from '../../money/chain/patience.ts'
import type { BulkheadName } from '../../trpc.ts'
import type { Names } from '../names.ts'
import type { Page } from '../page.ts'
import type { Read } from '../reader.ts'

/** What a page is made from. */
export interface PageRequest {
  read: Read
  names: Names
  /** For what pages alone show; see `lists.ts`. */
  db: Database
  /** The `:id` of the path. */
  id: string
  /** Path and query of the page, with the known parameters alone. */
  path: string
  /** The known parameters of the query that are not empty. */
  query: Readonly<Record<string, string>>
  site: Site
  /** Address of the service as the visitor uses it; empty where the page is cached, because others may use another. */
  baseUrl: string
}

/** What the operator has configured and pages say. */
export interface Site {
  /** Base address of the chain's explorer without a slash at its end, if there is one. */
  explorerUrl: string | null
  /** Whether nothing is configured, so that a database, a chain and a code host run beside the service. */
  isEmbedded: boolean
  /** The platform fee. */
  feeBps: number
  /** How long a claim lasts, by difficulty. */
  claimHours: Record<string, number>
  /** Whether approved work is paid now; or why that is not known. */
  pays(): Promise<boolean | NoReading>
  /** Whether founders can lock dollars. */
  hasDollars(): boolean
  /** An address of a node that everybody may use. */
  rpcUrl: string | null
  /** Who gets the fees of what a platform wallet pays. */
  treasury(wallet: string): Promise<string | NoReading>
  /** The parameters of a curve, which never change: each is read once. */
  curve(address: string): Promise<CurveShape | NoReading>
  /** How the chain is now, or was a second ago. */
  chainState(): Promise<string>
}

/** A page or a feed and how it is served. */
export interface PageDefinition<Made = Page> {
  /** `/bounties/:id`. Its Markdown has the same path with `.md`. */
  path: `/${string}`
  /** For the access log and metrics. */
  name: string
  /** The parameters it has; others are ignored. */
  query?: readonly string[]
  bulkhead: BulkheadName
  /** Whether it follows from its path, its query and rows of the database alone: not from clock or chain. */
  cacheable: boolean
  make(request: PageRequest): Promise<Made>
}
