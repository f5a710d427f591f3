import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits until `condition` holds. Errors count as false: programs that start refuse connections.
 *
 * @throws after `timeoutMs` with `what` and the last error
 */
export async function untilTrue(
  what: string,
  condition: () => Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const end = Date.now() + timeoutMs
  let last: unknown
  for (;;) {
    const holds = await condition().catch((error) => {
      last = error
      return false
    })
    if (holds) return
    if (Date.now() > end) throw new Error(`It never happened that ${what}`, { cause: last })
    await delay(50)
  }
}
