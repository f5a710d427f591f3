import { randomBytes } from 'node:crypto'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Services } from '../../services.ts'
import type { FailureCategory } from './deliveries/endpoint.ts'
import { signatureHeaders, type WebhookSecrets } from './sealing.ts'

/** What an endpoint must do before anything else is sent to it. */
export const challengeDescription =
  'First the service sends `{ "type": "webhook.challenge", "timestamp", "data": { "challenge" } }` to the URL, which has to ' +
  'respond within 15 seconds with status 200 and `{ "challenge": … }`, holding the value it was sent. Nothing else is ever ' +
  'sent to a URL that has not. '

/** Which requests count against the limit of requested deliveries. */
export const limitDescription =
  'Requests to create, update, test, redeliver and replay share a limit of 60 an hour.'

/** Refuses a URL that webhooks may not have. @throws ServiceError `webhook_url_refused` */
export function refuseUrl({ endpoints }: Pick<Services, 'endpoints'>, url: string): void {
  const reason = endpoints.refusal(url)
  if (reason !== undefined) throw refused(reason)
}

/**
 * Asks the endpoint for the echo of a random value, so that no agent can make the service send events to others.
 * @throws ServiceError `webhook_url_refused` if no repetition of it can reach a public address, `webhook_challenge_failed`
 */
export async function challenge(
  { endpoints }: Pick<Services, 'endpoints'>,
  url: string,
  secrets: WebhookSecrets,
): Promise<void> {
  const value = randomBytes(24).toString('base64url')
  const now = new Date()
  const event = { type: 'webhook.challenge', timestamp: now.toISOString(), data: { challenge: value } }
  const body = JSON.stringify(event)
  const headers = signatureHeaders(secrets, { id: newId('request'), body, now })
  const { failure, isUnknownHost, status, text } = await endpoints.challenge(url, { headers, body })
  if (failure !== null && (isUnknownHost || failure === 'address_refused')) throw refused(reasons[failure])
  if (status !== null && status !== 200) throw failed(`it responded with status ${status}`)
  if (failure !== null) throw failed(reasons[failure])
  const echo = echoOf(text)
  if (echo === undefined) throw failed('the response is not `{ "challenge": … }` in JSON')
  if (echo !== value) throw failed('the response holds another value than the challenge')
}

/** What a receiver has to mend, by category; those of a status name the status. */
const reasons: Record<FailureCategory, string> = {
  dns: 'its name has no address',
  address_refused: 'its name leads to an address that is not public',
  connection: 'nothing accepts the connection, or it ended without a response',
  tls: 'its certificate or its TLS is not valid',
  timeout: 'it did not respond within 15 seconds',
  redirect: 'it redirects',
  status: 'it refused',
  gone: 'it is gone',
}

function refused(reason: string): ServiceError {
  return new ServiceError('webhook_url_refused', `The URL is refused: ${reason}.`)
}

function failed(reason: string): ServiceError {
  return new ServiceError('webhook_challenge_failed', `The URL did not pass the challenge: ${reason}.`)
}

function echoOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')?.challenge
  } catch {
    return undefined
  }
}
