/** One panel of bars. */
export interface BarPanel {
  title: string
  bars: { label: string; value: number }[]
}

/** One panel of lines over a growing size. */
export interface LinePanel {
  title: string
  lines: { label: string; points: [size: number, ms: number][] }[]
}

const width = 820
const style = `<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 15px } .note { fill: #59636e; font-size: 12px }
  .grid { stroke: #d1d9e0; stroke-width: 1 } .one { stroke: #59636e; stroke-width: 1; stroke-dasharray: 4 3 }
  .bar { fill: #8b949e } .ours { fill: #0969da } .line { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .note { fill: #9198a1 } .grid { stroke: #3d444d } .one { stroke: #9198a1 }
    .bar { fill: #6e7681 } .ours { fill: #4493f8 }
  }
</style>`
/** Each is told apart on white and on black, and by people who see fewer colours. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a7fd0']
const panelHeight = 240

/** Panels of horizontal bars; the first bar of each is ours, and 1 is marked. */
export function barChart(panels: BarPanel[]): string {
  const [left, barHeight, gap] = [210, 18, 6]
  const greatest = Math.max(1, ...panels.flatMap(({ bars }) => bars.map(({ value }) => value)))
  const scale = (width - left - 70) / greatest
  const one = round(left + scale)
  const parts: string[] = []
  let y = 64
  for (const { title, bars } of panels) {
    parts.push(text('class="title"', 16, y + 14, title))
    y += 26
    const top = y
    for (const [index, { label, value }] of bars.entries()) {
      const length = round(Math.max(1, value * scale))
      const bar = `<rect class="bar${index === 0 ? ' ours' : ''}" x="${left}" y="${y}" width="${length}" height="${barHeight}" rx="2"/>`
      const name = text('text-anchor="end"', left - 10, y + 14, label)
      parts.push(name + bar + text('', left + length + 6, y + 14, value.toFixed(2)))
      y += barHeight + gap
    }
    parts.push(`<line class="one" x1="${one}" x2="${one}" y1="${top - 4}" y2="${y}"/>`)
    y += 14
  }
  const note = 'Side by side in one run, medians of the rounds; longer is faster'
  return frame('Responses a second, as multiples of the faster Fastify', note, y + 4, parts)
}

/** Panels of lines, both axes logarithmic; the names stand at the ends of the lines. */
export function lineChart(panels: LinePanel[]): string {
  const parts: string[] = []
  let y = 64
  for (const panel of panels) {
    parts.push(text('class="title"', 16, y + 14, panel.title), ...linePanel(panel, y + 30))
    y += 30 + panelHeight + 44
  }
  const note = 'Median latency of one request at a time, over the number of bounties'
  return frame('Cost against size', note, y, parts)
}

function linePanel({ lines }: LinePanel, top: number): string[] {
  const [left, right] = [70, width - 230]
  const points = lines.flatMap((line) => line.points)
  const sizes = [...new Set(points.map(([size]) => size))].sort((a, b) => a - b)
  const logs = points.map(([, ms]) => Math.log10(ms))
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))]
  const [first, last] = [Math.log10(sizes[0] ?? 1), Math.log10(sizes.at(-1) ?? 10)]
  const x = (size: number) =>
    round(left + ((Math.log10(size) - first) / (last - first || 1)) * (right - left))
  const y = (ms: number) => round(top + panelHeight * (1 - (Math.log10(ms) - low) / (high - low || 1)))
  const grid = Array.from({ length: high - low + 1 }, (_, step) => {
    const at = y(10 ** (low + step))
    const line = `<line class="grid" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/>`
    return line + text('class="note" text-anchor="end"', left - 8, at + 4, `${10 ** (low + step)} ms`)
  })
  const bottom = top + panelHeight + 18
  const axis = sizes.map((size) =>
    text('class="note" text-anchor="middle"', x(size), bottom, size.toLocaleString('en')),
  )
  const ends = spreadOut(lines.map((line) => y(line.points.at(-1)?.[1] ?? 1)))
  const drawn = lines.map(({ label, points }, index) => {
    const colour = colours[index % colours.length]
    const dot = (at: number, height: number) => `<circle cx="${at}" cy="${height}" r="4" fill="${colour}"/>`
    const path = points.map(([size, ms], step) => `${step === 0 ? 'M' : 'L'}${x(size)} ${y(ms)}`).join('')
    const dots = points.map(([size, ms]) => dot(x(size), y(ms))).join('')
    const end = ends[index] ?? 0
    const name = dot(right + 16, end) + text('', right + 26, end + 4, label)
    return `<path class="line" stroke="${colour}" d="${path}"/>${dots}${name}`
  })
  return [...grid, ...axis, ...drawn]
}

/** Moves positions apart until a line of text fits between each two. */
function spreadOut(positions: number[]): number[] {
  const moved = [...positions]
  const order = positions.map((_, index) => index).sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0))
  let last = Number.NEGATIVE_INFINITY
  for (const index of order) moved[index] = last = Math.max(positions[index] ?? 0, last + 17)
  return moved
}

const frame = (heading: string, note: string, height: number, parts: string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${heading}">`,
    style,
    text('class="title"', 16, 26, heading) + text('class="note"', 16, 46, note),
    ...parts,
    '</svg>\n',
  ].join('\n')

const round = (value: number) => Math.round(value * 10) / 10

function text(attributes: string, x: number, y: number, content: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text ${attributes} x="${round(x)}" y="${round(y)}">${escaped}</text>`
}
