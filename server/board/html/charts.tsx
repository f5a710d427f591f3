/** @jsxRuntime automatic @jsxImportSource preact */
import type { Axis, Chart, Point } from '../page.ts'
import { numberScale, type Scale, timeScale } from './scales.ts'

/** So few points are dots as well: a line alone hides that there are no others. */
const fewPoints = 12

/**
 * A chart as an image as wide as its place. What it shows stands in the table beside it. Places are percentages, so that texts keep
 * their size when the image is stretched.
 */
export function ChartImage({ of, label }: { of: Chart; label: string }) {
  const mark = of.mark ? `; ${of.mark.label}` : ''
  return (
    <svg height="240" role="img" aria-label={`${label && `${label}: `}${of.y.label} by ${of.x.label}${mark}`}>
      <LinesView {...of} />
    </svg>
  )
}

function LinesView({ x, y, points, step = false, mark }: Chart) {
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
