import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHtml } from '#board/html'
import type { Chart, Point } from '../../server/board/page.ts'

const frame = { style: '', script: '', desk: '/d', icon: '', version: '1', origin: undefined }
const table = { columns: [{ label: 'Figure' }], rows: [['1']] }

/** What is drawn of a chart: its ticks with their places, its path, and its mark. Places are percentages from the left or top. */
function drawn(chart: Chart) {
  const html = toHtml(
    { path: '/', title: 'Page', blocks: [{ kind: 'chart', title: 'Prices', chart, table }] },
    frame,
  )
  const svg = /<figure class="chart">(<svg.*<\/svg>)<details>/s.exec(html)?.[1] ?? ''
  const all = (pattern: RegExp) => [...svg.matchAll(pattern)].map(([, ...groups]) => groups.map(String))
  const placed = ([place, text]: string[]) => ({ at: Number(place), text: text! })
  return {
    svg,
    up: all(/<text x="-8" y="([^"%]*)%"[^>]*>([^<]*)</g).map(placed),
    across: all(/<text(?: class="minor")? x="([^"%]*)%" y="100%" dy="20"[^>]*>([^<]*)</g).map(placed),
    path: all(/([MLHVh])([-\d.]+)(?:,([-\d.]+))?/g).filter(([, first]) => first !== ''),
    mark: all(/<g class="mark"><circle cx="([^"%]*)%" cy="([^"%]*)%"/g)[0]?.map(Number),
  }
}

function lines(points: readonly Point[], more: Partial<Chart> = {}) {
  return drawn({ x: { label: 'sold' }, y: { label: 'ETH' }, points, ...more })
}

const factors: Record<string, number> = { k: 1e3, M: 1e6, B: 1e9, T: 1e12 }
function numberOf(text: string): number {
  const [, digits, unit = ''] = /^(.*?)([kMBT]?)$/.exec(text) ?? []
  return Number(digits) * (factors[unit] ?? 1)
}

/** Where a value has to stand between the first tick and the last. */
function between(ticks: readonly { at: number; text: string }[], value: number): number {
  const first = ticks[0]!
  const last = ticks.at(-1)!
  const share = (value - numberOf(first.text)) / (numberOf(last.text) - numberOf(first.text))
  return first.at + share * (last.at - first.at)
}

const texts = (ticks: readonly { text: string }[]) => ticks.map(({ text }) => text)

describe('numbers of an axis', () => {
  test.each<[number[], string[]]>([
    [
      [0, 900_000],
      ['0', '500k', '1M'],
    ],
    [
      [1200, 4100],
      ['1k', '2k', '3k', '4k', '5k'],
    ],
    [
      [0.00012, 0.0004],
      ['0.0001', '0.0002', '0.0003', '0.0004'],
    ],
    [
      [1e-9, 8e-9],
      ['0', '2e-9', '4e-9', '6e-9', '8e-9'],
    ],
    [
      [0.00001585, 0.00002],
      ['0.000014', '0.000016', '0.000018', '0.00002'],
    ],
    [
      [7, 7],
      ['0', '5', '10', '15'],
    ],
    [
      [0, 0],
      ['0', '0.5', '1'],
    ],
    [
      [3e27, 8e27],
      ['2e27', '4e27', '6e27', '8e27'],
    ],
    [
      [1000.1, 1000.9],
      ['1000', '1000.5', '1001'],
    ],
    [
      [-5, 5],
      ['-5', '0', '5'],
    ],
  ])('%j stand at %j', (values, expected) => {
    expect(texts(lines(values.map((y, x) => ({ x, y }))).up)).toEqual(expected)
  })
})

describe('a line', () => {
  const points = [
    { x: 0, y: 2e-9 },
    { x: 100_000, y: 6e-9 },
    { x: 300_000, y: 7.5e-9 },
  ]

  test('passes its points, in its order, between what the ticks say', () => {
    const { path, up, across } = lines(points)
    const expected = points.flatMap(({ x, y }) => [between(across, x), between(up, y)])
    const places = path
      .filter(([kind]) => kind !== 'h')
      .flatMap(([, left, top]) => [Number(left), Number(top)])
    expect(path.map(([kind]) => kind).join('')).toBe('MhLL')
    expect(places).toHaveLength(expected.length)
    for (const [index, place] of places.entries()) expect(place).toBeCloseTo(expected[index]!, 2)
  })

  test('of steps holds each value until the next', () => {
    const { path, up, across } = lines(points, { step: true })
    const [, , ...steps] = path.map(([kind, place]) => [kind, Number(place)] as const)
    expect(steps.map(([kind]) => kind).join('')).toBe('HVHV')
    expect(steps[0]![1]).toBeCloseTo(between(across, 100_000), 2)
    expect(steps[1]![1]).toBeCloseTo(between(up, 6e-9), 2)
    expect(steps[2]![1]).toBeCloseTo(between(across, 300_000), 2)
  })

  test('has its present point where it stands, with its label, also outside the other points', () => {
    for (const present of [
      { x: 50_000, y: 4e-9 },
      { x: 700_000, y: 1.2e-8 },
    ]) {
      const { svg, mark, up, across } = lines(points, { mark: { ...present, label: 'now <b>' } })
      expect(mark![0]).toBeCloseTo(between(across, present.x), 2)
      expect(mark![1]).toBeCloseTo(between(up, present.y), 2)
      for (const place of mark!) expect(Math.abs(place - 50)).toBeLessThanOrEqual(50)
      expect(svg).toContain('now &lt;b></text>')
      expect(svg).toMatch(/role="img" aria-label="Prices: ETH by sold; now &lt;b>"/)
    }
  })

  test('of one point is a dot', () => {
    const { path, mark } = lines([{ x: 3, y: 5 }], { mark: { x: 3, y: 5, label: 'now' } })
    expect(path.map(([kind]) => kind).join('')).toBe('Mh')
    expect(path[0]!.slice(1).map(Number)).toEqual(mark)
  })

  test('of any numbers stays inside, at three to five ticks that differ', () => {
    const size = fc.tuple(
      fc.double({ min: -1000, max: 1000, noNaN: true }),
      fc.integer({ min: -18, max: 24 }),
    )
    const value = size.map(([digits, exponent]) => Math.abs(digits) * 10 ** exponent)
    const point = fc.record({ x: value, y: value })
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 200 }), (some) => {
        const { svg, path, up, across } = lines(some.toSorted((one, other) => one.x - other.x))
        expect(svg).not.toMatch(/NaN|Infinity|undefined/)
        for (const ticks of [up, across]) {
          expect(ticks.length).toBeGreaterThanOrEqual(3)
          expect(ticks.length).toBeLessThanOrEqual(5)
          expect(new Set(texts(ticks)).size).toBe(ticks.length)
        }
        for (const [kind, ...places] of path)
          for (const place of kind === 'h' ? [] : places.filter(Boolean).map(Number)) {
            expect(place).toBeGreaterThanOrEqual(0)
            expect(place).toBeLessThanOrEqual(100)
          }
      }),
    )
  })
})

describe('times of an axis', () => {
  const noon = Date.UTC(2026, 10, 20, 12)
  const hour = 3_600_000
  test.each<[string, number, Record<string, number>, string]>([
    // The Thursdays between two Fridays, by their days from noon of the first.
    ['three weeks', 21 * 24, { 'Nov 26': 5.5 / 21, 'Dec 3': 12.5 / 21, 'Dec 10': 19.5 / 21 }, 'Time'],
    ['a day', 24, { '16:00': 4 / 24, '00:00': 12 / 24, '08:00': 20 / 24 }, 'Time, from Nov 20, 2026'],
    ['an hour', 1, { '12:00': 0, '12:20': 1 / 3, '12:40': 2 / 3, '13:00': 1 }, 'Time, from Nov 20, 2026'],
  ])('of %s', (_, hours, expected, label) => {
    const points = [noon, noon + hours * hour].map((x) => ({ x, y: 1 }))
    const { across, svg } = lines(points, { x: { label: 'Time', kind: 'time' } })
    expect(texts(across)).toEqual(Object.keys(expected))
    for (const { at, text } of across) expect(at).toBeCloseTo(100 * expected[text]!, 2)
    expect(svg).toContain(`>${label}</text>`)
  })

  test('of years are months; a moment stands in the middle of an hour', () => {
    const time = { x: { label: 'Time', kind: 'time' } } as const
    const years = lines(
      [noon, noon + 1000 * 24 * hour].map((x) => ({ x, y: 1 })),
      time,
    )
    for (const text of texts(years.across)) expect(text).toMatch(/^[A-Z][a-z]{2} 20(26|27|28|29)$/)
    expect(years.across.length).toBeGreaterThanOrEqual(3)
    const moment = lines([{ x: noon, y: 1 }], time)
    expect(texts(moment.across)).toEqual(['11:40', '12:00', '12:20'])
    expect(moment.path[0]).toEqual(['M', '50', '50'])
  })
})
