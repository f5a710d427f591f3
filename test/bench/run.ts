import { openBench } from './harness/bench.ts'
import { type Options, type PartName, readOptions } from './harness/options.ts'
import { record } from './harness/results/record.ts'
import { findingsTable, type PartResult, renderText } from './harness/results/report.ts'
import { parts } from './parts/parts.ts'

async function main(options: Options): Promise<void> {
  const results = new Map<PartName, PartResult>()
  const bench = await openBench(options)
  try {
    for (const name of options.parts) {
      bench.log(`── ${name}`)
      const result = await parts[name](bench)
      for (const table of result.tables) console.log(renderText(table))
      results.set(name, result)
      if (options.record) record(results, bench.placement.description)
    }
  } finally {
    await bench.close()
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
