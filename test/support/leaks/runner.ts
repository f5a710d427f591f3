import { setTimeout as pause } from 'node:timers/promises'
import { type RunnerTestFile, TestRunner, vi } from 'vitest'
import { closeAll } from './closing.ts'
import { forget, running } from './running.ts'
import { changesSince, type SharedState, sharedState } from './shared-state.ts'

/** Connections and processes take a moment to end, and seconds on a busy machine. */
const momentMs = 30_000

const mostLines = 30

let before: SharedState = sharedState()

/**
 * Fails a test file that leaves something running or changed in the process that it shares with the files after it. That
 * may also be a file whose tests were all skipped or whose top level has thrown, which gets no `afterAll`.
 */
export default class extends TestRunner {
  declare onTaskUpdate?: (results: [string, object | undefined, object][], events: []) => Promise<void>

  override importFile(filepath: string, source: 'collect' | 'setup'): unknown {
    if (source === 'collect') before = sharedState()
    return super.importFile(filepath, source)
  }

  // @ts-expect-error vitest calls it with the files, and declares it without.
  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    for (const file of files) {
      const changed = changesSince(before)
      // What follows waits.
      vi.useRealTimers()
      const left = [...changed, ...(await leftRunning())]
      if (left.length > 0) await this.fail(file, `left by this file:\n${left.slice(0, mostLines).join('\n')}`)
    }
    super.onAfterRunFiles()
  }

  private async fail(file: RunnerTestFile, message: string): Promise<void> {
    const errors = [...(file.result?.errors ?? []), { name: 'Error', message }]
    // The object stays, because vitest may be about to send it.
    file.result = Object.assign(file.result ?? {}, { state: 'fail' as const, errors })
    await this.onTaskUpdate?.([[file.id, file.result, file.meta]], [])
  }
}

async function leftRunning(): Promise<string[]> {
  const failed = await closeAll().then(
    () => [],
    (error) => [String(error)],
  )
  const giveUpAt = performance.now() + momentMs
  while (running().length > 0 && performance.now() < giveUpAt) await pause(10)
  const left = [...failed, ...running()]
  forget()
  return left
}
