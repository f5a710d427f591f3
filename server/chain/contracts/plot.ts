import { formatEther } from 'viem'
import { CONTRACT_DEFAULTS } from './defaults.ts'

const [width, height] = [760, 420]
const box = { left: 64, top: 56, right: 590, bottom: 356 }
const ink = { text: '#1f2933', quiet: '#616e7c', grid: '#e4e7eb', value: '#0b6bcb', held: '#b4540a' }

const start = Number(formatEther(CONTRACT_DEFAULTS.startFdv))
const end = Number(formatEther(CONTRACT_DEFAULTS.endFdv))
const forSale = 1 - CONTRACT_DEFAULTS.bountyReserveBps / 10_000

/** Fully diluted value in ETH after a share of the amount for sale is sold. */
const valueAt = (share: number): number => start + (end - start) * share
/** ETH that the curve then holds, without fees. */
const heldAt = (share: number): number => forSale * share * (start + ((end - start) * share) / 2)

const x = (share: number): number => box.left + (box.right - box.left) * share
const y = (ether: number): number => box.bottom - ((box.bottom - box.top) * ether) / end
const point = (share: number, ether: number): string => `${x(share).toFixed(1)},${y(ether).toFixed(1)}`

function path(of: (share: number) => number, colour: string): string {
  const points = Array.from({ length: 51 }, (_, step) => point(step / 50, of(step / 50)))
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2.5"/>`
}

function label(at: { x: number; y: number }, text: string, colour = ink.text, anchor = 'start'): string {
  return `<text x="${at.x.toFixed(1)}" y="${at.y.toFixed(1)}" fill="${colour}" text-anchor="${anchor}">${text}</text>`
}

function grid(): string[] {
  const shares = [0, 0.25, 0.5, 0.75, 1]
  const line = (from: string, to: string) => {
    const [x1, y1, x2, y2] = [...from.split(','), ...to.split(',')]
    return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${ink.grid}"/>`
  }
  return shares.flatMap((share) => [
    line(point(share, 0), point(share, end)),
    line(point(0, end * share), point(1, end * share)),
    label({ x: x(share), y: box.bottom + 20 }, `${share * 100} %`, ink.quiet, 'middle'),
    label({ x: box.left - 10, y: y(end * share) + 4 }, `${end * share}`, ink.quiet, 'end'),
  ])
}

/** Draws the default curve as SVG: fully diluted value and held ether over the amount sold. */
export function drawPrice(): string {
  // A tenth of the supply, as a share of the amount for sale: the example of the README.
  const tenth = 0.1 / forSale
  const side = box.right + 10
  const body = [
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    label(
      { x: box.left, y: 28 },
      `<tspan font-weight="600">The default curve: ${start} to ${end} ETH</tspan>`,
    ),
    label({ x: box.left, y: 46 }, 'ETH', ink.quiet, 'end'),
    ...grid(),
    path(heldAt, ink.held),
    path(valueAt, ink.value),
    `<circle cx="${x(tenth).toFixed(1)}" cy="${y(heldAt(tenth)).toFixed(1)}" r="4" fill="${ink.held}"/>`,
    label({ x: x(0.4), y: box.bottom - 5 }, `← a tenth of the supply costs ${heldAt(tenth).toFixed(2)} ETH`),
    label({ x: side, y: y(end) + 4 }, 'fully diluted value', ink.value),
    label({ x: side, y: y(end) + 20 }, '= price × supply', ink.value),
    label({ x: side, y: y(heldAt(1)) + 4 }, `ETH held: ${heldAt(1).toFixed(2)}`, ink.held),
    label({ x: side, y: y(heldAt(1)) + 20 }, 'when all is sold', ink.held),
    label(
      { x: (box.left + box.right) / 2, y: box.bottom + 44 },
      'sold, of the amount for sale',
      ink.quiet,
      'middle',
    ),
  ]
  const title = '<title>Value and ETH held of the default bonding curve over the amount sold</title>'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="14">`,
    title,
    ...body,
    '</svg>\n',
  ].join('\n')
}
