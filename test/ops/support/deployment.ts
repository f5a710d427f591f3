import { onTestFinished } from 'vitest'
import { openWorld, type World } from '../../support/world.ts'

/** A world of the test's own, gone after it. */
export async function deployment(options?: { operators?: number }): Promise<World> {
  const opened = await openWorld(options)
  onTestFinished(opened.release)
  return opened
}
