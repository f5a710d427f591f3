export type { ApprovedAndMerged, ReviewedWork, Wanted } from './bounties.ts'
export { Marketplace } from './client.ts'
export * from './core/errors.ts'
export type {
  CallInfo,
  CallOptions,
  ClientOptions,
  Hooks,
  ReadOptions,
  ResponseInfo,
  RetryInfo,
} from './core/options.ts'
export type { Unlisted } from './core/unlisted.ts'
export type { WaitLimits } from './core/wait.ts'
export type { EventStream, StreamOptions } from './events.ts'
export type * from './generated/models.ts'
export type { WebhookBody, WebhookHeaders } from './webhook.ts'
export { challengeResponse, verifyWebhook } from './webhook.ts'
