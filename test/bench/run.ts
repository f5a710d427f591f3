import { openBench } from './harness/bench.ts'
import { type Options, type PartName, readOptions } from './harness/options.ts'
import { record } from './harness/results/record.ts'
import { findingsTable, type PartResult, renderText } from './harness/results/report.ts'
import { model } from './model/model.ts'
import { type Measured, parts } from './parts/parts.ts'

async function main(options: Options): Promise<void> {
  const results = new Map<PartName, PartResult>()
  const finish = (name: PartName, result: PartResult, placement?: string) => {
    for (const table of result.tables) console.log(renderText(table))
    results.set(name, result)
    if (options.record) record(results, placement)
  }
  if (options.parts.includes('model')) finish('model', model(options.assumptions))
  const measured = options.parts.filter((name): name is Measured => name !== 'model')
  if (measured.length > 0) {
    const bench = await openBench(options)
    try {
      for (const name of measured) {
        bench.log(`── ${name}`)
        finish(name, await parts[name](bench), bench.placement.description)
      }
    } finally {
      await bench.close()
    }
  }
  console.log(renderText(findingsTable([...results.values()].flatMap(({ findings }) => findings))))
}

// Whatever was started is ended when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await Promise.resolve(process.argv.slice(2))
  .then(readOptions)
  .then(main)
  .catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
process.exit()
