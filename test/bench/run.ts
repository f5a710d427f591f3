import { type Bench, openBench } from './harness/bench.ts'
import { type Options, type PartName, readOptions } from './harness/options.ts'
import { goalTable, type PartResult, renderText } from './harness/report.ts'
import { polling } from './parts/polling.ts'
import { reads } from './parts/reads.ts'
import { writes } from './parts/writes.ts'

const parts: Partial<Record<PartName, (bench: Bench) => Promise<PartResult>>> = { reads, polling, writes }

async function main(options: Options): Promise<void> {
  const bench = await openBench(options)
  const results: Partial<Record<PartName, PartResult>> = {}
  try {
    for (const name of options.parts) {
      const run = parts[name]
      if (!run) continue
      bench.say(`── ${name}`)
      const result = await run(bench)
      results[name] = result
      for (const table of result.tables) console.log(renderText(table))
    }
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    await bench.close()
  }
  console.log(renderText(goalTable(Object.values(results).flatMap(({ goals }) => goals))))
}

await main(readOptions(process.argv.slice(2))).catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
process.exit()
