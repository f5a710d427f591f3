import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Bench, openBench } from './harness/bench.ts'
import { root } from './harness/compile.ts'
import { type Options, type PartName, readOptions } from './harness/options.ts'
import { onCores, placeProcesses } from './harness/placement.ts'
import { type Circumstances, describeCircumstances, record } from './harness/results/record.ts'
import { goalTable, type PartResult, renderText } from './harness/results/report.ts'
import { point } from './model/point.ts'
import { steps } from './model/steps.ts'
import { board } from './parts/board.ts'
import { creation } from './parts/creation/creation.ts'
import { events } from './parts/events.ts'
import { growth } from './parts/growth/growth.ts'
import { mcp } from './parts/mcp.ts'
import { payoutsResult } from './parts/payouts.ts'
import { polling } from './parts/polling.ts'
import { processes } from './parts/processes.ts'
import { reads } from './parts/reads.ts'
import { start } from './parts/start.ts'
import { webhooks } from './parts/webhooks.ts'
import { writes } from './parts/writes.ts'

const parts: Partial<Record<PartName, (bench: Bench) => Promise<PartResult>>> = {
  start,
  reads,
  polling,
  writes,
  creation,
  processes,
  growth,
  events,
  webhooks,
  mcp,
  board,
  steps,
  point,
}
/** Parts that are programs of their own and print their own tables. */
interface Program {
  script: string
  quickArgs: string[]
  /** The file it writes with --out, as a result; without it nothing is recorded. */
  resultOf?: (file: never) => PartResult
}
const programs: Partial<Record<PartName, Program>> = {
  payouts: {
    script: 'payouts.ts',
    quickArgs: ['--payouts', '20', '--lanes', '1'],
    resultOf: payoutsResult,
  },
  authentication: { script: 'authentication.ts', quickArgs: [] },
  model: { script: 'model.ts', quickArgs: [], resultOf: (result: PartResult) => result },
}

async function main(options: Options): Promise<void> {
  const results: PartResult[] = []
  const measured = options.parts.filter((name) => parts[name])
  if (measured.length > 0) {
    const bench = await openBench(options)
    try {
      const circumstances = describeCircumstances({
        placement: bench.placement.description,
        postgres: bench.postgres.settings,
      })
      for (const name of measured) results.push(await runPart(bench, name, circumstances))
    } finally {
      await bench.close()
    }
  }
  for (const name of options.parts) {
    const result = runProgram(name, options)
    if (result) results.push(result)
  }
  const goals = results.flatMap((result) => result.goals)
  if (goals.length > 0) console.log(renderText(goalTable(goals)))
}

async function runPart(bench: Bench, name: PartName, circumstances: Circumstances): Promise<PartResult> {
  bench.log(`── ${name}`)
  const started = performance.now()
  const result = await (parts[name] as (bench: Bench) => Promise<PartResult>)(bench)
  for (const table of result.tables) console.log(renderText(table))
  console.log('')
  bench.log(`${name} took ${((performance.now() - started) / 1000).toFixed(0)} s`)
  if (bench.options.record) record(name, result, circumstances)
  else {
    const folder = join(root, '.cache/bench/results')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ circumstances, ...result }, null, 1))
  }
  return result
}

/** Runs a part that is a program of its own, on all cores; its result where it writes one. */
function runProgram(name: PartName, options: Options): PartResult | undefined {
  const program = programs[name]
  const path = join(import.meta.dirname, program?.script ?? '')
  if (!program || !existsSync(path)) return undefined
  console.log(`── ${name}`)
  const placement = placeProcesses()
  const out = join(root, '.cache/bench', `${name}.json`)
  mkdirSync(dirname(out), { recursive: true })
  const args = [...(options.quick ? program.quickArgs : []), ...(program.resultOf ? ['--out', out] : [])]
  const [file = '', ...rest] = onCores(
    [process.execPath, '--import', 'tsx', path, ...args],
    placement.everything,
  )
  const { status } = spawnSync(file, rest, { cwd: root, stdio: 'inherit' })
  if (status !== 0) {
    process.exitCode = 1
    return undefined
  }
  if (!program.resultOf) return undefined
  const result = program.resultOf(JSON.parse(readFileSync(out, 'utf8')) as never)
  if (options.record)
    record(name, result, describeCircumstances({ placement: 'nothing pinned', postgres: {} }))
  return result
}

// Whatever was started is ended when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await main(readOptions(process.argv.slice(2))).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
process.exit()
