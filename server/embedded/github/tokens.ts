import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { readIfPresent, writeFileDurably } from '../durable-files.ts'

const lifetimeMs = 3_600_000

/** Tokens of agents: signed, not stored, valid for one hour. Never log one. */
export interface Tokens {
  issue(login: string): { token: string; expiresAt: Date }
  /** The agent's login; `undefined` for a token that is forged or has expired. */
  verify(token: string): string | undefined
  /** A secret of this host for another purpose. */
  derive(purpose: string): string
}

/** Reads the secret that signs tokens, or makes it; only its owner can read the file. */
export async function openTokens(directory: string): Promise<Tokens> {
  const path = join(directory, 'token-secret')
  const stored = (await readIfPresent(path))?.trim()
  const secret = stored || randomBytes(32).toString('hex')
  if (!stored) await writeFileDurably(path, `${secret}\n`, 0o600)
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  return {
    issue(login) {
      const expiresAt = new Date(Math.floor((Date.now() + lifetimeMs) / 1000) * 1000)
      const claim = Buffer.from(`${login} ${expiresAt.getTime()}`).toString('base64url')
      return { token: `ghu_${claim}.${sign(`token ${claim}`)}`, expiresAt }
    },
    verify(token) {
      const [, claim = '', signature = ''] = /^ghu_([\w-]+)\.([\w-]+)$/.exec(token) ?? []
      const expected = Buffer.from(sign(`token ${claim}`))
      const given = Buffer.from(signature)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      const [login, expires] = Buffer.from(claim, 'base64url').toString().split(' ')
      return Number(expires) > Date.now() ? login : undefined
    },
    derive: (purpose) => createHmac('sha256', secret).update(`derive ${purpose}`).digest('hex'),
  }
}
