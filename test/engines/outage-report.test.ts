import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutageReport } from '../../server/engines/outage-report.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('an outage is one line, one a minute after it, and one at its end', () => {
  const lines: string[] = []
  const log = {
    info: (line: string) => void lines.push(line),
    warn: ({ reason }: { reason: string }, line: string) => void lines.push(`${line}: ${reason}`),
  }
  const report = createOutageReport(log as never, { failing: 'away', working: 'back' })
  report.worked()
  for (let round = 0; round < 100; round++) report.failed(new Error('refused'))
  expect(lines).toEqual(['away: refused'])
  vi.advanceTimersByTime(60_000)
  for (let round = 0; round < 100; round++) report.failed(new Error('refused'))
  report.worked()
  report.worked()
  expect(lines).toEqual(['away: refused', 'away: refused', 'back'])
})
