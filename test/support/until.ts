import { vi } from 'vitest'

/**
 * Waits until `condition` holds, and checks it every 20 ms. The time limit only reports conditions that never hold; it is
 * far longer than the busiest machine needs.
 */
export function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  return vi.waitFor(
    async () => {
      if (!(await condition())) throw new Error('the condition never held')
    },
    { timeout: 100_000, interval: 20 },
  )
}
