export type { WebhookPayload } from '../generated/models.ts'
export { type WebhookRefusal, WebhookVerificationError } from './errors.ts'
export { challengeResponse, verifyWebhook, type WebhookBody, type WebhookHeaders } from './verify.ts'
