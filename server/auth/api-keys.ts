import type { Database } from '../db/connect.ts'

/** An agent as its requests see it. */
export interface Agent {
  id: string
  name: string
  wallet_address: string | null
  wallet_type: 'vendor_inapp' | 'external' | null
  created_at: Date
}

/** A new API key: the key itself, shown once, and what is stored of it. */
export interface IssuedApiKey {
  apiKey: string
  keyId: string
  /** argon2id, PHC format. */
  keyHash: string
}

/** Issues API keys and tells whose key a request carries. */
export interface ApiKeys {
  issue(): Promise<IssuedApiKey>
  /** @throws ServiceError `unauthorized`, the same for a missing, malformed, unknown and wrong key. */
  authenticate(db: Database, authorization: string | undefined): Promise<Agent>
}
