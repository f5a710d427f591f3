import { MarketplaceError } from '../core/errors.ts'
import type { WebhookChallengeResponse, WebhookPayload } from '../generated/schema.ts'
import {
  type Bytes,
  bytesOf,
  contentOf,
  fromBase64,
  isSignedBy,
  keysOf,
  type WebhookBody,
} from './signature.ts'

/**
 * Why a request is not a delivery of the marketplace. `missing_header`: it lacks one of the three headers.
 * `timestamp_refused`: its timestamp is malformed, or more than five minutes away from this machine's clock.
 * `signature_mismatch`: no signature fits the body and a secret. `not_an_event`: it is signed, but has no event in it.
 */
export type WebhookRefusal = 'missing_header' | 'timestamp_refused' | 'signature_mismatch' | 'not_an_event'

/** A request is not a delivery of the marketplace: respond with 400 and do nothing. */
export class WebhookVerificationError extends MarketplaceError {
  override name = 'WebhookVerificationError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The headers of a request: a `Headers`, or a record such as that of `node:http`. Their names may have any letter case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const toleranceSeconds = 300

/**
 * The payload of a delivery, if the marketplace has signed it with `secret` within the last five minutes, by the Standard
 * Webhooks specification. `payload.data` is the event. A delivery may come more than once: `payload.data.id`, which is also
 * the header `webhook-id`, is then the same. An event of a type that a newer service has added is returned as it is.
 * @param body the body as it arrived, before anything parsed it
 * @param secret the `whsec_…` of the webhook, or several of which one must fit, while a secret is replaced
 * @throws WebhookVerificationError with the `reason`: respond with 400. MarketplaceError if this program is at fault: there is
 * no `secret`, one of them is no `whsec_…`, or `body` was parsed. Respond with 500 then, so that the delivery is tried again
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: WebhookBody,
  secret: string | readonly string[],
): Promise<WebhookPayload> {
  const keys = keysOf(secret)
  const sent = bytesOf(body)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ').flatMap(signatureOf)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError(
      'timestamp_refused',
      'webhook-timestamp is not within five minutes of now',
    )
  const content = contentOf(id, timestamp, sent)
  if (!(await isSigned(content, signatures, keys)))
    throw new WebhookVerificationError(
      'signature_mismatch',
      'webhook-signature does not fit body and secret. Pass the raw body as it was received: one that was parsed and written again has other bytes',
    )
  const payload = parsed(sent) as Partial<WebhookPayload> | undefined
  if (typeof payload?.data?.id === 'string' && typeof payload.data.type === 'string')
    return payload as WebhookPayload
  throw new WebhookVerificationError('not_an_event', 'the body is signed, but has no event')
}

/**
 * What to respond with, with status 200, to the challenge that the marketplace sends to a new address of a webhook. Undefined
 * for any other body: pass that to {@link verifyWebhook}. It needs no secret, because the challenge of a new webhook comes
 * before its secret is known, and it proves nothing about the sender.
 * @throws MarketplaceError if `body` was parsed
 */
export function challengeResponse(body: WebhookBody): WebhookChallengeResponse | undefined {
  const payload = parsed(bytesOf(body)) as { type?: unknown; data?: { challenge?: unknown } } | undefined
  const challenge = payload?.type === 'webhook.challenge' ? payload.data?.challenge : undefined
  return typeof challenge === 'string' ? { challenge } : undefined
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = [value ?? []].flat().join(' ')
  if (text === '') throw new WebhookVerificationError('missing_header', `the request has no ${name}`)
  return text
}

/** The bytes of `v1,base64`; nothing for other versions and for what is not base64. */
function signatureOf(text: string): Bytes[] {
  const bytes = text.startsWith('v1,') ? fromBase64(text.slice(3)) : undefined
  return bytes ? [bytes] : []
}

async function isSigned(content: Bytes, signatures: Bytes[], keys: Bytes[]): Promise<boolean> {
  for (const key of keys)
    for (const signature of signatures) if (await isSignedBy(key, signature, content)) return true
  return false
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
