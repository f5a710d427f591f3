export type { OperationId } from '../generated/testing.ts'
export { type MemoryCall, type MemoryFailure, type MemoryMarketplace, memoryMarketplace } from './memory.ts'
export { type SignedWebhook, type SignOptions, signWebhook } from './sign.ts'
