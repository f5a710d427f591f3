import { MarketplaceError } from '../core/errors.ts'

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
