import type { Event } from '../generated/schema.ts'
import { bytesOf, contentOf, keysOf, signatureBy } from '../webhooks/signature.ts'

/** How {@link signWebhook} signs. */
export interface SignOptions {
  /** The header `webhook-id`. Default: the id of the event, or `act_test` for a body. */
  id?: string | undefined
  /** When it is sent. Default: now. */
  at?: Date | undefined
}

/** A request to a receiver of webhooks. */
export interface SignedWebhook {
  headers: Record<string, string>
  body: string
}

/**
 * A delivery as the service sends it, to test a receiver with: post `body` with `headers`, and `verifyWebhook` accepts it.
 * @param event an event, or the text of a body, such as that of a challenge
 * @param secret the `whsec_…` of the webhook, or several, each of which signs, as while a secret is replaced
 * @throws MarketplaceError if a secret is no `whsec_…`
 */
export async function signWebhook(
  event: Event | string,
  secret: string | readonly string[],
  { id = typeof event === 'string' ? 'act_test' : event.id, at = new Date() }: SignOptions = {},
): Promise<SignedWebhook> {
  const body =
    typeof event === 'string'
      ? event
      : JSON.stringify({ type: event.type, timestamp: event.created_at, data: event })
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const content = contentOf(id, timestamp, bytesOf(body))
  const signatures = keysOf(secret).map(async (key) => {
    const signature = new Uint8Array(await signatureBy(key, content))
    return `v1,${btoa(String.fromCharCode(...signature))}`
  })
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': (await Promise.all(signatures)).join(' '),
    },
    body,
  }
}
