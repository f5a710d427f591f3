export type { WebhookPayload } from '../generated/schema.ts'
export type { WebhookBody } from './signature.ts'
export {
  challengeResponse,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from './verify.ts'
