export type { ApprovedAndMerged, ReviewedWork } from './approve-and-merge.ts'
export type { WantedBounties } from './claim-next.ts'
export { Marketplace } from './client.ts'
export * from './core/errors.ts'
export type {
  ApiKey,
  CallInfo,
  CallOptions,
  ClientOptions,
  Hooks,
  Logger,
  LogLevel,
  Overridable,
  ReadOptions,
  ResponseInfo,
  RetryInfo,
} from './core/options.ts'
export type { ApiPromise, Received, WithRequestId } from './core/promise.ts'
export type { CallInput, Route } from './core/request.ts'
export type { WaitLimits } from './core/retry.ts'
export type { Unlisted } from './core/unlisted.ts'
export type { EventStream, StreamOptions } from './events.ts'
export type * from './generated/schema.ts'
export type { Choice, TaskFields } from './perform.ts'
