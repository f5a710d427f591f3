/** @jsxRuntime automatic @jsxImportSource preact */
import type { Axis, Chart, Point } from '../page.ts'
import { numberScale, type Scale, timeScale } from './scales.ts'

type Lines = Extract<Chart, { kind: 'lines' }>
type Bars = Extract<Chart, { kind: 'bars' }>

/** Most names of bars below them. */
const mostNames = 5
/** So few points are dots as well: a line alone hides that there are no others. */
const fewPoints = 12

/**
 * A chart as an image as wide as its place. What it shows stands in the table beside it. Places are percentages, so that texts keep
 * their size when the image is stretched.
 */
export function ChartImage({ of, label }: { of: Chart; label: string }) {
  const over = of.kind === 'lines' ? ` by ${of.x.label}` : ''
  const mark = of.kind === 'lines' && of.mark ? `; ${of.mark.label}` : ''
  return (
    <svg height="208" role="img" aria-label={`${label && `${label}: `}${of.y.label}${over}${mark}`}>
      {of.kind === 'lines' ? <LinesView {...of} /> : <BarsView {...of} />}
    </svg>
  )
}

function LinesView({ x, y, points, step = false, mark }: Lines) {
  const all = mark ? [...points, mark] : points
  const across = scaleOf(
    x,
    all.map((point) => point.x),
  )
  const up = scaleOf(
    y,
    all.map((point) => point.y),
  )
  const place = (point: Point) => ({ left: across.at(point.x), top: 100 - up.at(point.y) })
  return (
    <>
      <Grid of={up} label={y.label} />
      {across.ticks.map(({ at, text }, index) => (
        <Name at={at} text={text} minor={index % 2 === 1} />
      ))}
      <text x="100%" y="100%" dy="40" text-anchor="end">
        {across.from ? `${x.label}, from ${across.from}` : x.label}
      </text>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" class="curve" aria-hidden="true">
        <path d={pathOf(points.map(place), step)} vector-effect="non-scaling-stroke" />
      </svg>
      {points.length <= fewPoints &&
        points.map(place).map(({ left, top }) => <circle cx={`${left}%`} cy={`${top}%`} r="3.5" />)}
      {mark && <Mark {...place(mark)} label={mark.label} />}
    </>
  )
}

function BarsView({ y, bars }: Bars) {
  const up = numberScale([0, ...bars.map(({ value }) => value)])
  const wide = 100 / bars.length
  const each = Math.ceil(bars.length / mostNames)
  const zero = up.at(0)
  return (
    <>
      <Grid of={up} label={y.label} />
      {bars.map(({ label, value }, index) => (
        <rect
          class="bar"
          x={`${(index + 0.1) * wide}%`}
          width={`${0.8 * wide}%`}
          y={`${100 - Math.max(zero, up.at(value))}%`}
          height={`${Math.abs(up.at(value) - zero)}%`}
        >
          <title>{`${label}: ${value}`}</title>
        </rect>
      ))}
      {bars.map(({ label }, index) =>
        // Counted from the newest, which is always named.
        (bars.length - 1 - index) % each === 0 ? (
          <Name at={(index + 0.5) * wide} text={label} minor={((bars.length - 1 - index) / each) % 2 === 1} />
        ) : null,
      )}
    </>
  )
}

/** Lines across, and what they stand for. */
function Grid({ of, label }: { of: Scale; label: string }) {
  return (
    <>
      <text class="axis" y="-16">
        {label}
      </text>
      {of.ticks.map(({ at, text }) => (
        <g class="tick">
          <line x2="100%" y1={`${100 - at}%`} y2={`${100 - at}%`} />
          <text x="-8" y={`${100 - at}%`} dy="0.32em" text-anchor="end">
            {text}
          </text>
        </g>
      ))}
    </>
  )
}

/** A name below the chart. Narrow screens leave out minor ones. */
function Name({ at, text, minor }: { at: number; text: string; minor: boolean }) {
  return (
    <text class={minor ? 'minor' : undefined} x={`${at}%`} y="100%" dy="20" text-anchor="middle">
      {text}
    </text>
  )
}

/** A point, and its label where a rising line leaves room: before and above it, or after and below it. */
function Mark({ left, top, label }: { left: number; top: number; label: string }) {
  const isRight = left > 50
  const isAbove = isRight || top > 90
  return (
    <g class="mark">
      <circle cx={`${left}%`} cy={`${top}%`} r="5" />
      <text
        x={`${left}%`}
        y={`${top}%`}
        dx={isRight ? -10 : 10}
        dy={isAbove ? -8 : 16}
        text-anchor={isRight ? 'end' : 'start'}
      >
        {label}
      </text>
    </g>
  )
}

function scaleOf({ kind }: Axis, values: readonly number[]): Scale {
  return kind === 'time' ? timeScale(values) : numberScale(values)
}

/** A single point is drawn as a line without length: a dot. */
function pathOf(places: readonly { left: number; top: number }[], step: boolean): string {
  const [first, ...rest] = places
  if (!first) return ''
  const next = rest.map(({ left, top }) => (step ? `H${left}V${top}` : `L${left},${top}`))
  return `M${first.left},${first.top}h0${next.join('')}`
}
