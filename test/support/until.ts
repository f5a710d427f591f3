import { vi } from 'vitest'

/** Waits until `condition` holds, looking every few ms; fails after 20 s. */
export function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  return vi.waitFor(
    async () => {
      if (!(await condition())) throw new Error('the condition never held')
    },
    { timeout: 20_000, interval: 20 },
  )
}
