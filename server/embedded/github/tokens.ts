import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readIfPresent, writeFileDurably } from '../durable-files.ts'

const lifetimeMs = 3_600_000
const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Tokens of agents, valid for one hour at most. They are not stored: each holds, sealed, the API key or access token for which it
 * was issued, so that it can be checked whether that has ended. Never log one.
 */
export type Tokens = Awaited<ReturnType<typeof openTokens>>

/** Reads the secret that seals tokens, or makes it; only its owner can read the file. */
export async function openTokens(directory: string) {
  const path = join(directory, 'token-secret')
  const stored = (await readIfPresent(path))?.trim()
  const secret = stored || randomBytes(32).toString('hex')
  if (!stored) await writeFileDurably(path, `${secret}\n`, 0o600)
  const derive = (purpose: string) => createHmac('sha256', secret).update(`derive ${purpose}`)
  const key = derive('tokens').digest()
  return {
    issue(credential: string) {
      const expiresAt = new Date(Math.floor((Date.now() + lifetimeMs) / 1000) * 1000)
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, key, nonce)
      const text = sealing.update(`${expiresAt.getTime()} ${credential}`)
      const sealed = Buffer.concat([nonce, text, sealing.final(), sealing.getAuthTag()])
      return { token: `ghu_${sealed.toString('base64url')}`, expiresAt }
    },
    /** What a token was issued for; `undefined` for one that is forged or has expired. */
    open(token: string): string | undefined {
      const sealed = Buffer.from(/^ghu_([\w-]+)$/.exec(token)?.[1] ?? '', 'base64url')
      if (sealed.length < nonceBytes + tagBytes) return undefined
      const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes))
      const text = opening
        .setAuthTag(sealed.subarray(-tagBytes))
        .update(sealed.subarray(nonceBytes, -tagBytes))
      try {
        opening.final()
      } catch {
        return undefined
      }
      const [expires, credential] = text.toString().split(' ')
      return Number(expires) > Date.now() ? credential : undefined
    },
    /** A secret of this host for another purpose. */
    derive: (purpose: string) => derive(purpose).digest('hex'),
  }
}
