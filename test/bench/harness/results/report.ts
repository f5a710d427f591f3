import type { Summary } from '../compare.ts'
import { percent, show } from './statistics.ts'

/** A table of one scenario. */
export interface Table {
  title: string
  columns: string[]
  rows: string[][]
}

/** Something the benchmark is to show, and whether it did. */
export interface Goal {
  what: string
  wanted: string
  measured: string
  met: boolean
}

/** What a part of the benchmark found. */
export interface PartResult {
  tables: Table[]
  goals: Goal[]
  /** What the tables were made from, for the result file. */
  data: Record<string, unknown>
  /** Series for the charts. */
  bars?: { title: string; bars: { label: string; value: number }[] }[]
  lines?: { title: string; lines: { label: string; points: [size: number, ms: number][] }[] }[]
}

/** A goal of the form "at least". */
export function atLeast(what: string, wanted: number, measured: number, unit = '×'): Goal {
  return {
    what,
    wanted: `≥ ${wanted} ${unit}`,
    measured: `${show(measured)} ${unit}`,
    met: measured >= wanted,
  }
}

/** A goal of the form "at most". */
export function atMost(what: string, wanted: number, measured: number, unit = '×'): Goal {
  return {
    what,
    wanted: `≤ ${show(wanted)} ${unit}`,
    measured: `${show(measured)} ${unit}`,
    met: measured <= wanted,
  }
}

/** The table that every comparison of servers has. */
export function comparisonTable(title: string, summaries: Summary[], reference: string): Table {
  const polling = summaries.some(({ unchanged }) => unchanged > 0)
  return {
    title,
    columns: [
      'server',
      'responses/s',
      'spread',
      `× ${reference}`,
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

/** For a page. */
export function renderMarkdown({ title, columns, rows }: Table): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rule = columns.map((_, index) => (index === 0 ? '---' : '--:'))
  return [`**${title}**`, '', line(columns), line(rule), ...rows.map(line), ''].join('\n')
}

/** The goals of all parts as a table. */
export function goalTable(goals: Goal[]): Table {
  return {
    title: 'Goals',
    columns: ['goal', 'wanted', 'measured', 'met'],
    rows: goals.map(({ what, wanted, measured, met }) => [what, wanted, measured, met ? 'yes' : 'no']),
  }
}
