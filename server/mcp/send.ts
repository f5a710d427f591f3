import type { Json } from './json.ts'

/**
 * Sends a request of the caller, or with another API key, to an operation and returns its response.
 * @throws ServiceError as the operation responds
 */
export type Send = (operationId: string, input: Json, apiKey?: string) => Promise<Json>
