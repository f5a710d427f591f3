import { hash as digest, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database } from '../db/client.ts'
import type { Reads } from '../db/reads/reads.ts'
import { ServiceError } from '../errors.ts'
import { createBoundedHash, type HashBounds } from './bounded-hash.ts'
import { type Credential, newAccessToken, newApiKey, readCredential } from './key-format.ts'
import { agentByKeyId, agentByToken, keepServiceKey } from './queries.ts'

const rememberedKeys = 50_000

/** An agent without its key. */
export interface Agent {
  id: string
  name: string
  wallet_address: string | null
  wallet_type: 'vendor_inapp' | 'external' | null
  created_at: Date
}

/** What a caller may do: all that its agent may with the API key, work or only read with an access token. */
export type Scope = 'key' | 'work' | 'read'

/** An agent and the API key or access token it called with. */
export interface Caller extends Agent {
  /** Public part of the key, or id of the token. */
  key_id: string
  scope: Scope
  /** Whether the key was replaced and has ended. Admission lets such a caller read one idempotent response and nothing else. */
  key_ended: boolean
  /** Digest of the Idempotency-Key with which the key was replaced: that of the one response. */
  rotation_digest?: Buffer | null
}

/** A new API key, which is shown once, and the parts that are stored. */
export interface IssuedApiKey {
  apiKey: string
  keyId: string
  /** argon2id, PHC format. */
  keyHash: string
}

/** Issues API keys and access tokens, and authenticates requests. */
export interface ApiKeys {
  /**
   * A new key for an agent that registers, or for a known agent.
   * @throws ServiceError `overloaded` when too many keys are being hashed
   */
  issue(options?: { toKnown?: boolean }): Promise<IssuedApiKey>
  /** A new access token, which is shown once, and what is stored of it. */
  issueToken(scope: 'work' | 'read'): { token: string; digest: string }
  /**
   * Finds the caller of a request, whose key may have ended. Reads its row on each call, so a key ends as soon as its row is
   * changed.
   * @throws ServiceError `unauthorized`, the same for a missing, malformed, unknown, wrong and revoked key or token; `overloaded`
   * when too many keys are being verified for the first time.
   */
  authenticate(reads: Pick<Reads, 'run'>, authorization: string | undefined): Promise<Caller>
}

/** Options of {@link createApiKeys}. */
export interface ApiKeyOptions {
  /** The same in every process; see {@link loadChecksumKey}. */
  checksumKey: Buffer
  /** How many keys are hashed at once and how many may wait; default {@link usualBounds}. */
  bounds?: HashBounds
}

/** The queues hold about two seconds of work for known agents and one for registrations. */
const usualBounds: HashBounds = {
  knownAgents: { atOnce: 2, waiting: 256 },
  newAgents: { atOnce: 1, waiting: 64, restMs: 8 },
}

/**
 * Keys of the form `bmk_<key id>_<secret><checksum>`, of which the database holds only an argon2id hash, and access tokens.
 * Of those it holds a plain digest, which nobody can search for 256 random bits; so a token is verified by finding its row.
 */
export function createApiKeys({ checksumKey, bounds = usualBounds }: ApiKeyOptions): ApiKeys {
  const argon2 = createBoundedHash(bounds)
  // SHA-256 of a key → the stored hash that it matched. The entry is only good for a row with that hash.
  const verified = new LRUCache<string, string>({ max: rememberedKeys })
  const verifying = new Map<string, Promise<boolean>>()

  async function matches(text: string, keyHash: string): Promise<boolean> {
    const keyDigest = digestOf(text)
    if (verified.get(keyDigest) === keyHash) return true
    const running = verifying.get(keyDigest + keyHash) ?? argon2.verify(keyHash, text)
    verifying.set(keyDigest + keyHash, running)
    try {
      const matched = await running
      if (matched) verified.set(keyDigest, keyHash)
      return matched
    } finally {
      verifying.delete(keyDigest + keyHash)
    }
  }

  async function callerBy(
    { text, keyId }: Credential,
    reads: Pick<Reads, 'run'>,
  ): Promise<Caller | undefined> {
    if (keyId === null) return (await reads.run(agentByToken({ digest: digestOf(text) })))[0]
    const [row] = await reads.run(agentByKeyId({ keyId }))
    if (!row || !(await matches(text, row.key_hash))) return undefined
    const { key_hash: _, ...caller } = row
    return { ...caller, scope: 'key' }
  }

  return {
    async issue({ toKnown = false } = {}) {
      const key = newApiKey(checksumKey)
      const keyHash = await (toKnown ? argon2.hashForKnownAgent(key.text) : argon2.hashForNewAgent(key.text))
      verified.set(digestOf(key.text), keyHash)
      return { apiKey: key.text, keyId: key.keyId, keyHash }
    },
    issueToken(scope) {
      const token = newAccessToken(scope, checksumKey)
      return { token, digest: digestOf(token) }
    },
    async authenticate(reads, authorization) {
      const key = readCredential(authorization, checksumKey)
      const caller = key ? await callerBy(key, reads) : undefined
      if (!caller) throw new ServiceError('unauthorized')
      return caller
    },
  }
}

function digestOf(keyText: string): string {
  return digest('sha256', keyText, 'base64')
}

/** The checksum key that all processes share; the first process creates it. */
export function loadChecksumKey(db: Database): Promise<Buffer> {
  return keepServiceKey(db, 'api_key_checksum', randomBytes(32))
}
