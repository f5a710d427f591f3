export type { WebhookPayload } from '../generated/models.ts'
export { type WebhookRefusal, WebhookVerificationError } from './errors.ts'
export type { WebhookBody } from './signature.ts'
export { challengeResponse, verifyWebhook, type WebhookHeaders } from './verify.ts'
