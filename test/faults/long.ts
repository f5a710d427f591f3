import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawPlan } from './schedules/plan.ts'
import { type Played as Result, runSchedule } from './schedules/run.ts'
import { seedsOf } from './schedules/seeds.ts'
import { openWorld, startServer } from './support/world.ts'

/*
 * `npm run test:faults -- [--seeds 1-1000] [--at-once 2] [--again]`: plays the random schedules of a range of seeds,
 * tells how far it is, and goes on where it was interrupted, unless `--again` is given. A seed that fails leaves its
 * plan and the logs of its processes in .cache/faults; `--seeds 17-17 --again` plays it again.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-1000' },
    'at-once': { type: 'string', default: '2' },
    again: { type: 'boolean', default: false },
  },
})
const seeds = seedsOf(values.seeds)

const folder = join(import.meta.dirname, '../../.cache/faults')
const progressFile = join(folder, 'played.jsonl')

/** One line of the progress file. */
interface Played {
  seed: number
  problems: string[]
  struck: number
  healedMs: number
}

async function played(): Promise<Map<number, Played>> {
  if (values.again) await writeFile(progressFile, '')
  const text = await readFile(progressFile, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line.endsWith('}'))
  return new Map(lines.map((line) => JSON.parse(line) as Played).map((line) => [line.seed, line]))
}

async function note(seed: number, result: Result): Promise<Played> {
  const { problems, struck, healedMs } = result
  await appendFile(progressFile, `${JSON.stringify({ seed, problems, struck, healedMs })}\n`)
  if (problems.length > 0) {
    const text = [...problems, JSON.stringify(drawPlan(seed), null, 2), ...result.logs].join('\n')
    await writeFile(join(folder, `seed-${seed}.log`), text)
    console.log(`seed ${seed} FAILED, see .cache/faults/seed-${seed}.log:\n  ${problems.join('\n  ')}`)
  }
  return { seed, problems, struck, healedMs }
}

await mkdir(folder, { recursive: true })
const done = await played()
const left = seeds.filter((seed) => !done.has(seed))
if (left.length < seeds.length)
  console.log(`${seeds.length - left.length} of ${seeds.length} were played before`)
const server = await startServer()
const world = await openWorld(server.url, { spares: 3 })
const began = Date.now()
let count = 0

async function work(): Promise<void> {
  for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
    const result = await runSchedule(world, seed).catch(
      (error): Result => ({
        problems: [`the schedule could not be played: ${error?.stack ?? error}`],
        responses: {},
        struck: 0,
        healedMs: 0,
        totalMs: 0,
        logs: [],
      }),
    )
    done.set(seed, await note(seed, result))
    if (++count % 10 > 0) continue
    const rest = Math.round((((Date.now() - began) / count) * left.length) / 60_000)
    console.log(`${seeds.length - left.length} of ${seeds.length}; about ${rest} min to go`)
  }
}

await Promise.all(Array.from({ length: Number(values['at-once']) }, work))
await world.close()
await server.stop()
const results = seeds.flatMap((seed) => done.get(seed) ?? [])
const failed = results.filter(({ problems }) => problems.length > 0)
const slowest = Math.max(...results.map(({ healedMs }) => healedMs))
const struck = results.map((result) => result.struck).sort((a, b) => a - b)
console.log(
  `${results.length} schedules, ${failed.length} failed; everything was finished at most ` +
    `${(slowest / 1000).toFixed(1)} s after the last fault; in each at least ${struck[0]} faults met something on its ` +
    `way, ${struck[struck.length >> 1]} in half of them`,
)
process.exitCode = failed.length > 0 ? 1 : 0
