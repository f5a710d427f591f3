import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutageReport } from '../../server/loops/outage-report.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  // The report of the database is one for the process: other tests may just have used it.
  vi.advanceTimersByTime(86_400_000)
})
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

test('what fails every other time is one line in ten seconds', () => {
  const lines: string[] = []
  const log = {
    info: (line: string) => void lines.push(line),
    warn: (_fields: object, line: string) => void lines.push(line),
  }
  const report = createOutageReport(log as never, { failing: 'away', working: 'back' })
  for (let round = 0; round < 25; round++) {
    report.failed(new Error('refused'))
    report.worked()
    vi.advanceTimersByTime(1000)
  }
  expect(lines).toEqual(['away', 'back', 'away', 'back', 'away', 'back'])
})

test('an outage of the database is one line for all loops, and one at its end', () => {
  const lines: string[] = []
  const log = {
    info: (line: string) => void lines.push(line),
    warn: (_fields: object, line: string) => void lines.push(line),
  }
  const first = createOutageReport(log as never, { failing: 'first away', working: 'first back' })
  const second = createOutageReport(log as never, { failing: 'second away', working: 'second back' })
  for (const report of [first, second, first, second])
    report.failed(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  second.failed(new Error('a reason of its own'))
  expect(lines).toEqual([expect.stringContaining('database cannot be reached'), 'second away'])
  first.worked()
  second.worked()
  expect(lines.slice(2)).toEqual(['the database can be reached again', 'second back'])
})
