import type { Standing } from '../compare.ts'
import type { BarPanel, LinePanel } from './chart.ts'
import { percent, show } from './statistics.ts'

/** A table of one scenario. */
export interface Table {
  title: string
  columns: string[]
  rows: string[][]
}

/** A line of the page's table: what was measured, beside what, and the goal. */
export interface Finding {
  what: string
  ours: string
  /** The faster of the servers beside ours, with its rate; empty where nothing stands beside it. */
  beside: string
  ratio: string
  /** Ours and the other's, in ms. */
  p99: string
  wanted: string
  /** Undefined where there is no goal. */
  met: boolean | undefined
}

/** What a part of the benchmark found. */
export interface PartResult {
  tables: Table[]
  findings: Finding[]
  /** What the tables were made from, for the result file. */
  data: Record<string, unknown>
  /** Series for the charts. */
  bars?: BarPanel[]
  lines?: LinePanel[]
}

const alone = { beside: '', ratio: '', p99: '' }

/** A figure without a goal. */
export function finding(what: string, ours: string): Finding {
  return { what, ours, ...alone, wanted: '', met: undefined }
}

/** A goal of the form "at least". */
export function atLeast(what: string, wanted: number, measured: number, unit = ''): Finding {
  return {
    ...finding(what, withUnit(plain(measured), unit)),
    wanted: withUnit(`≥ ${wanted.toLocaleString('en')}`, unit),
    met: measured >= wanted,
  }
}

/** A goal of the form "at most". */
export function atMost(what: string, wanted: number, measured: number, unit = ''): Finding {
  return {
    ...finding(what, withUnit(plain(measured), unit)),
    wanted: withUnit(`≤ ${wanted.toLocaleString('en')}`, unit),
    met: measured <= wanted,
  }
}

const plain = (value: number) => (Number.isInteger(value) ? value.toLocaleString('en') : show(value))
const withUnit = (text: string, unit: string) => (unit ? `${text} ${unit}` : text)

/**
 * This service beside the faster of the others.
 *
 * @param least ratio of the rates that is wanted
 * @param inP99 whether the p99 has to be the better one too
 */
export function race(
  what: string,
  { summaries, reference }: Standing,
  { least, inP99 }: { least: number; inP99: boolean },
): Finding[] {
  const ours = summaries.find(({ name }) => name === 'ours')
  if (!ours || !reference) return []
  const isAhead = ours.ratio >= least && (!inP99 || ours.p99 <= reference.p99)
  return [
    {
      what,
      ours: `${show(ours.rate)}/s`,
      beside: `${reference.label}: ${show(reference.rate)}/s`,
      ratio: `${show(ours.ratio)} ×`,
      p99: `${show(ours.p99)} / ${show(reference.p99)}`,
      wanted: `≥ ${least} ×${inP99 ? ' and in p99' : ''}`,
      met: isAhead,
    },
  ]
}

/** The table that every comparison of servers has. */
export function comparisonTable(title: string, { summaries, reference }: Standing): Table {
  const polling = summaries.some(({ unchanged }) => unchanged > 0)
  return {
    title,
    columns: [
      'server',
      'responses/s',
      'spread',
      `× ${reference?.label ?? 'none'}`,
      'p50 ms',
      'p99 ms',
      'node µs',
      'postgres µs',
      'generator',
      ...(polling ? ['304'] : []),
    ],
    rows: summaries.map((summary) => [
      summary.label,
      show(summary.rate),
      percent(summary.spread),
      show(summary.ratio),
      show(summary.p50),
      show(summary.p99),
      show(summary.serverMicros),
      show(summary.postgresMicros),
      percent(summary.generatorLoad),
      ...(polling ? [percent(summary.unchanged)] : []),
    ]),
  }
}

/** The bars of a comparison. */
export const barsOf = (title: string, { summaries }: Standing): BarPanel => ({
  title,
  bars: summaries.map(({ label, ratio }) => ({ label, value: ratio })),
})

/** For a terminal: columns padded, numbers to the right. */
export function renderText({ title, columns, rows }: Table): string {
  const widths = columns.map((name, index) =>
    Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
  return [
    '',
    title,
    line(columns),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...rows.map(line),
  ].join('\n')
}

/** The findings of a part as a table. */
export function findingsTable(findings: Finding[]): Table {
  return {
    title: 'Findings',
    columns: ['measured', 'this service', 'the faster beside it', 'ratio', 'p99 ms', 'goal', 'met'],
    rows: findings.map(cellsOf),
  }
}

/** The cells of a finding, in the order of the columns. */
export function cellsOf({ what, ours, beside, ratio, p99, wanted, met }: Finding): string[] {
  return [what, ours, beside, ratio, p99, wanted, met === undefined ? '' : met ? 'yes' : 'no']
}
