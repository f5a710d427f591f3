import type { Reporter, TestModule } from 'vitest/node'
import { lacking } from './programs.ts'

/** Says once, at the end of a run, how many tests were skipped and what they lack. */
export class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>()
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    // Others were not asked for, or their file failed.
    const lacked = skipped.map((test) => reasonsOf(test)).filter((reasons) => reasons.length > 0)
    for (const reason of lacked.flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    if (lacked.length === 0) return
    const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).join(', ')
    console.log(`\n${lacked.length} tests were skipped: ${reasons}`)
  }
}

type Test = ReturnType<TestModule['children']['allTests']> extends Iterable<infer Each> ? Each : never

function reasonsOf(test: Test): string[] {
  const result = test.result()
  if ('note' in result && result.note) return [`because ${result.note}`]
  return lacking(test.tags).map((what) => `need ${what}`)
}
