import { type Bench, openBench } from './harness/bench.ts'
import { type Options, type PartName, readOptions } from './harness/options.ts'
import { describeCircumstances, record } from './harness/results/record.ts'
import { findingsTable, type PartResult, renderText } from './harness/results/report.ts'
import { model } from './model/model.ts'
import { events } from './parts/events.ts'
import { growth } from './parts/growth/growth.ts'
import { payouts } from './parts/payouts.ts'
import { polling } from './parts/polling.ts'
import { reads } from './parts/reads.ts'
import { webhooks } from './parts/webhooks.ts'
import { writes } from './parts/writes.ts'

type Measured = Exclude<PartName, 'model'>

/** Every part but the model, which needs no server. */
const parts: Record<Measured, (bench: Bench) => Promise<PartResult>> = {
  reads,
  polling,
  writes,
  payouts,
  events,
  webhooks,
  growth,
}

async function main(options: Options): Promise<void> {
  const results: PartResult[] = []
  const measured = options.parts.filter((name): name is Measured => name !== 'model')
  const finish = (name: PartName, result: PartResult, placement: string) => {
    for (const table of result.tables) console.log(renderText(table))
    console.log('')
    results.push(result)
    if (options.record) record(name, result, describeCircumstances(placement))
  }
  if (measured.length > 0) {
    const bench = await openBench(options)
    try {
      for (const name of measured) {
        bench.log(`── ${name}`)
        const started = performance.now()
        finish(name, await parts[name](bench), bench.placement.description)
        bench.log(`${name} took ${((performance.now() - started) / 1000).toFixed(0)} s`)
      }
    } finally {
      await bench.close()
    }
  }
  if (options.parts.includes('model')) finish('model', model(options.assumptions), '')
  console.log(renderText(findingsTable(results.flatMap(({ findings }) => findings))))
}

// Whatever was started is ended when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await main(readOptions(process.argv.slice(2))).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
process.exit()
