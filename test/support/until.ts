import { vi } from 'vitest'

/**
 * Waits until `condition` holds, looking every few ms. The bound is there to name a wait that is in vain, and far
 * beyond what the busiest machine takes.
 */
export function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  return vi.waitFor(
    async () => {
      if (!(await condition())) throw new Error('the condition never held')
    },
    { timeout: 100_000, interval: 20 },
  )
}
