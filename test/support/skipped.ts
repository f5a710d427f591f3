import type { Reporter, TestModule } from 'vitest/node'
import { lacking } from './programs.ts'

/** Says once, at the end of a run, how many tests were skipped and what they need. */
export class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>()
    let skipped = 0
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const result = test.result()
        const needs = lacking(test.tags)
        const reasons = needs.length > 0 ? needs : 'note' in result && result.note ? [result.note] : []
        for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
        // Others were not asked for, or their file failed.
        if (reasons.length > 0) skipped++
      }
    if (skipped === 0) return
    const reasons = [...counts].map(([reason, count]) => `${count} need ${reason}`)
    console.log(`\n${skipped} tests were skipped: ${reasons.join(', ')}`)
  }
}
