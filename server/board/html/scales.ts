/** Where values stand along an axis. Places are percentages of its length. */
export interface Scale {
  at(value: number): number
  /** Three to five values that people call round. */
  ticks: readonly { at: number; text: string }[]
  /** The date on which it begins, if its ticks are times of the day. */
  from?: string
}

const minute = 60_000
const day = 1440 * minute
/** Steps of less than a day between times; each divides the day. */
const steps = [1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720].map(
  (minutes) => minutes * minute,
)
const units = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** A scale of numbers, as wide as their values need, which begins and ends at round ones. */
export function numberScale(values: readonly number[]): Scale {
  let low = Math.min(...values)
  let high = Math.max(...values)
  const size = Math.max(Math.abs(low), Math.abs(high))
  // Differences that nobody could read are none: the values stand in the middle, above zero.
  if (high - low < size * 1e-4) [low, high] = high > 0 ? [0, 2 * high] : [2 * low, 0]
  if (size === 0) high = 1

  const power = 10 ** Math.floor(Math.log10((high - low) / 5))
  const factors = [1, 2, 5, 10, 20]
  // Quotients of decimal fractions miss whole numbers by a hair.
  const span = (step: number) => [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)] as const
  const step =
    power * (factors.find((factor) => span(factor * power)[1] - span(factor * power)[0] <= 4) ?? 20)
  const [first, last] = span(step)
  const largest = Math.max(Math.abs(first), Math.abs(last)) * step
  const digits = Math.floor(Math.log10(largest)) - Math.floor(Math.log10(step)) + 1
  const tick = (index: number) => ({
    at: round((100 * index) / (last - first)),
    text: written((first + index) * step, digits, largest),
  })
  return {
    at: (value) => round((100 * (value / step - first)) / (last - first)),
    ticks: Array.from({ length: last - first + 1 }, (_, index) => tick(index)),
  }
}

/** A scale of moments, in ms since 1970. Its ticks are days, or times of the day where there are few days. */
export function timeScale(values: readonly number[]): Scale {
  let low = Math.min(...values)
  let high = Math.max(...values)
  if (high - low < 3 * minute) [low, high] = [low - 30 * minute, high + 30 * minute]
  const span = high - low
  const isLong = span >= 3 * day
  const step = isLong
    ? Math.floor(span / 3 / day) * day
    : (steps.findLast((candidate) => candidate <= span / 3) ?? minute)
  const first = Math.ceil(low / step)
  const at = (value: number) => round((100 * (value - low)) / span)
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => {
    const moment = (first + index) * step
    return { at: at(moment), text: dated(moment, span > 300 * day ? 'month' : isLong ? 'day' : 'time') }
  })
  return { at, ticks: ticks.slice(-5), ...(!isLong && { from: dated(low, 'date') }) }
}

const formats = {
  month: { month: 'short', year: 'numeric' },
  day: { month: 'short', day: 'numeric' },
  date: { month: 'short', day: 'numeric', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const

function dated(moment: number, format: keyof typeof formats): string {
  return new Intl.DateTimeFormat('en', { ...formats[format], timeZone: 'UTC' }).format(moment)
}

/** A number in few characters: 1.2k, 3M, 0.00012, 1.2e-9. Numbers of one axis are written alike, as its `largest` needs it. */
function written(value: number, digits: number, largest: number): string {
  const rounded = Number(value.toPrecision(Math.min(digits, 15)))
  const size = Math.abs(rounded)
  if (size !== 0 && (largest < 0.99e-5 || size >= 1e15)) return rounded.toExponential().replace('+', '')
  const [scale, name] = units.find(([least]) => size >= least && (least > 1e3 || digits < 4)) ?? [1, '']
  return `${rounded / scale}${name}`
}

/** Thousandths of a percentage are less than a pixel. */
function round(percentage: number): number {
  return Math.round(percentage * 1e3) / 1e3
}
