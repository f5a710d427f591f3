import { createTestClient, http, publicActions } from 'viem'

/** A viem client for anvil's own methods. */
export type AnvilClient = ReturnType<typeof anvilClient>

export function anvilClient(rpcUrl: string) {
  const transport = http(rpcUrl, { retryCount: 0, timeout: 10_000 })
  return createTestClient({ mode: 'anvil', transport, cacheTime: 0 }).extend(publicActions)
}
