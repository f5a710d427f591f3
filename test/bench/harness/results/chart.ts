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
  .title { font-weight: 600; font-size: 15px }
  .note { fill: #59636e; font-size: 12px }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .one { stroke: #59636e; stroke-width: 1; stroke-dasharray: 4 3 }
  .bar { fill: #8b949e } .ours { fill: #0969da }
  .line { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .note { fill: #9198a1 } .grid { stroke: #3d444d } .one { stroke: #9198a1 }
    .bar { fill: #6e7681 } .ours { fill: #4493f8 }
  }
</style>`
/** Each is told apart on white and on black, and by people who see fewer colours. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a7fd0']

/** Panels of horizontal bars; the first bar of each is ours, and 1 is marked. */
export function barChart(heading: string, note: string, panels: BarPanel[]): string {
  const [left, barHeight, gap] = [210, 18, 6]
  const greatest = Math.max(1, ...panels.flatMap(({ bars }) => bars.map(({ value }) => value)))
  const scale = (width - left - 70) / greatest
  const parts: string[] = []
  let y = 64
  for (const { title, bars } of panels) {
    parts.push(`<text class="title" x="16" y="${y + 14}">${escapeXml(title)}</text>`)
    y += 26
    const top = y
    for (const [index, { label, value }] of bars.entries()) {
      const length = Math.max(1, value * scale)
      parts.push(
        `<text x="${left - 10}" y="${y + 14}" text-anchor="end">${escapeXml(label)}</text>`,
        `<rect class="bar${index === 0 ? ' ours' : ''}" x="${left}" y="${y}" width="${round(length)}" height="${barHeight}" rx="2"/>`,
        `<text x="${round(left + length + 6)}" y="${y + 14}">${value.toFixed(2)}</text>`,
      )
      y += barHeight + gap
    }
    const one = round(left + scale)
    parts.push(`<line class="one" x1="${one}" x2="${one}" y1="${top - 4}" y2="${y}"/>`)
    y += 14
  }
  return frame(heading, note, y + 4, parts)
}

/** Panels of lines, both axes logarithmic; the names stand at the ends of the lines. */
export function lineChart(heading: string, note: string, panels: LinePanel[]): string {
  const parts: string[] = []
  let y = 64
  for (const panel of panels) {
    parts.push(`<text class="title" x="16" y="${y + 14}">${escapeXml(panel.title)}</text>`)
    parts.push(...linePanel(panel, y + 30))
    y += 30 + panelHeight + 44
  }
  return frame(heading, note, y, parts)
}

const panelHeight = 240

function linePanel({ lines }: LinePanel, top: number): string[] {
  const [left, right] = [70, width - 230]
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(([size]) => size)))].sort(
    (a, b) => a - b,
  )
  const values = lines.flatMap(({ points }) => points.map(([, ms]) => ms))
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.ceil(Math.log10(Math.max(...values)))
  const first = Math.log10(sizes[0] ?? 1)
  const last = Math.log10(sizes.at(-1) ?? 10)
  const x = (size: number) =>
    round(left + ((Math.log10(size) - first) / (last - first || 1)) * (right - left))
  const y = (ms: number) => round(top + panelHeight * (1 - (Math.log10(ms) - low) / (high - low || 1)))
  const parts: string[] = []
  for (let power = low; power <= high; power++) {
    const at = y(10 ** power)
    parts.push(
      `<line class="grid" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/>`,
      `<text class="note" x="${left - 8}" y="${at + 4}" text-anchor="end">${10 ** power} ms</text>`,
    )
  }
  for (const size of sizes)
    parts.push(
      `<text class="note" x="${x(size)}" y="${top + panelHeight + 18}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
    )
  const ends = spreadOut(lines.map(({ points }) => y(points.at(-1)?.[1] ?? 1)))
  for (const [index, { label, points }] of lines.entries()) {
    const colour = colours[index % colours.length]
    const path = points.map(([size, ms], step) => `${step === 0 ? 'M' : 'L'}${x(size)} ${y(ms)}`).join('')
    parts.push(
      `<path class="line" stroke="${colour}" d="${path}"/>`,
      ...points.map(
        ([size, ms]) => `<circle cx="${x(size)}" cy="${y(ms)}" r="3.5" fill="${colour}" stroke="none"/>`,
      ),
      `<circle cx="${right + 16}" cy="${ends[index]}" r="4" fill="${colour}"/>`,
      `<text x="${right + 26}" y="${(ends[index] ?? 0) + 4}">${escapeXml(label)}</text>`,
    )
  }
  return parts
}

/** Moves positions apart until a line of text fits between each two. */
function spreadOut(positions: number[]): number[] {
  const order = positions.map((_, index) => index).sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0))
  const moved = [...positions]
  for (let step = 1; step < order.length; step++) {
    const [above, here] = [order[step - 1] as number, order[step] as number]
    moved[here] = Math.max(moved[here] as number, (moved[above] as number) + 17)
  }
  return moved
}

function frame(heading: string, note: string, height: number, parts: string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(heading)}">`,
    style,
    `<text class="title" x="16" y="26">${escapeXml(heading)}</text>`,
    `<text class="note" x="16" y="46">${escapeXml(note)}</text>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

const round = (value: number) => Math.round(value * 10) / 10

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
