import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { SealedText, WalletVault } from '../../crypto/wallet-vault.ts'

/** How long the previous secret of a webhook signs as well after a rotation. */
export const secretOverlapHours = 24

/** The secrets that sign the deliveries of a webhook. */
export interface WebhookSecrets {
  /** `whsec_` and the base64 of 32 bytes, as Standard Webhooks writes a secret. */
  current: string
  /** The secret before the last rotation, which signs as well until `ends_at` (ISO 8601). */
  previous: { secret: string; ends_at: string } | null
}

/** The secrets of a webhook as its row has them. */
export interface SealedSecrets {
  sealed_secrets: Buffer
  /** Version of the master key that sealed them. */
  key_version: number
}

/** A new random secret in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Seals the secrets of a webhook. They open for no other webhook. */
export function sealSecrets(vault: WalletVault, webhookId: string, secrets: WebhookSecrets): SealedSecrets {
  return columns(vault.sealText(webhookId, JSON.stringify(secrets)))
}

/**
 * The secrets of a webhook's row; `previous` is null once it has ended.
 * @throws as `WalletVault.openText`
 */
export function openSecrets(vault: WalletVault, webhookId: string, row: SealedSecrets): WebhookSecrets {
  const text = vault.openText(webhookId, { sealed: row.sealed_secrets, keyVersion: row.key_version })
  const { current, previous }: WebhookSecrets = JSON.parse(text)
  return { current, previous: previous && new Date(previous.ends_at) > new Date() ? previous : null }
}

/** The headers of a message by Standard Webhooks, with a signature by each secret. */
export function signatureHeaders(
  { current, previous }: WebhookSecrets,
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> {
  const secrets = previous ? [current, previous.secret] : [current]
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}

function columns({ sealed, keyVersion }: SealedText): SealedSecrets {
  return { sealed_secrets: sealed, key_version: keyVersion }
}
