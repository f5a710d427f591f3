import type { Standing } from '../compare.ts'
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
  /** The faster of the servers beside ours, with its rate. */
  beside?: string
  ratio?: string
  /** Ours, and the other's if there is one, in ms. */
  p99?: string
  wanted?: string
  met?: boolean
}

/** What a part of the benchmark found. */
export interface PartResult {
  tables: Table[]
  findings: Finding[]
  /** What the tables were made from, for the result file. */
  data: Record<string, unknown>
}

/** A figure that is wanted to be at least (`≥`) or at most (`≤`) another. */
export function goal(
  what: string,
  measured: number,
  sign: '≥' | '≤',
  wanted: number,
  unit?: string,
): Finding {
  const withUnit = (text: string) => (unit ? `${text} ${unit}` : text)
  return {
    what,
    ours: withUnit(Number.isInteger(measured) ? measured.toLocaleString('en') : show(measured)),
    wanted: withUnit(`${sign} ${wanted.toLocaleString('en')}`),
    met: sign === '≥' ? measured >= wanted : measured <= wanted,
  }
}

/** This service beside the faster of the others, whose rate and p99 are wanted; or alone, with a rate that is wanted. */
export function standingOf(what: string, { summaries, reference }: Standing, least?: number): Finding[] {
  const ours = summaries.find(({ name }) => name === 'ours')
  if (!ours) return []
  const alone = { what, ours: `${show(ours.rate)}/s`, p99: show(ours.p99) }
  if (!reference) return [{ ...alone, ...(least && { wanted: `≥ ${least}/s`, met: ours.rate >= least }) }]
  return [
    {
      ...alone,
      beside: `${reference.label}: ${show(reference.rate)}/s`,
      ratio: `${show(ours.ratio)} ×`,
      p99: `${alone.p99} / ${show(reference.p99)}`,
      wanted: '≥ 1 × and in p99',
      met: ours.ratio >= 1 && ours.p99 <= reference.p99,
    },
  ]
}

/** The table that every comparison of servers has. */
export function comparisonTable(title: string, { summaries, reference }: Standing): Table {
  const to = `× ${reference?.label ?? 'none'}`
  const times = ['p50 ms', 'p99 ms', 'node µs', 'postgres µs']
  return {
    title,
    columns: ['server', 'responses/s', 'spread', to, ...times, 'generator', '304'],
    rows: summaries.map((each) => [
      each.label,
      show(each.rate),
      percent(each.spread),
      ...[each.ratio, each.p50, each.p99, each.serverMicros, each.postgresMicros].map((value) => show(value)),
      percent(each.generatorLoad),
      percent(each.unchanged),
    ]),
  }
}

/** For a terminal: columns padded, numbers to the right. */
export function renderText({ title, columns, rows }: Table): string {
  const widths = columns.map((_, index) =>
    Math.max(...[columns, ...rows].map((row) => row[index]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
  return ['', title, line(columns), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join(
    '\n',
  )
}

/** The findings of a part as a table. */
export const findingsTable = (findings: Finding[]): Table => ({
  title: 'Findings',
  columns: ['measured', 'this service', 'the faster beside it', 'ratio', 'p99 ms', 'goal', 'met'],
  rows: findings.map(({ what, ours, beside = '', ratio = '', p99 = '', wanted = '', met }) => [
    what,
    ours,
    beside,
    ratio,
    p99,
    wanted,
    met === undefined ? '' : met ? 'yes' : 'no',
  ]),
})
