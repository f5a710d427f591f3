import { parseArgs } from 'node:util'
import { patience } from './schedules/helpers.ts'
import { type Mutant, mutants } from './schedules/mutants.ts'
import { type Result, runDirected, runSchedule } from './schedules/run.ts'
import { quickSeed, seedsOf } from './schedules/seeds.ts'
import { openWorld, startServer } from './support/world.ts'

/*
 * Proves that the oracle can fail: switches off one protection at a time, in a bundle of its own, and says which
 * schedules notice. `npm run test:faults:mutants -- [--only "part of a name,of another"] [--seeds 1-10] [--at-once 3]`; the first
 * row, with nothing switched off, says how much of it is noise.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seeds: { type: 'string' },
    'at-once': { type: 'string', default: '3' },
  },
})
const seeds = values.seeds === undefined ? [1, quickSeed] : seedsOf(values.seeds)
patience.ms = 30_000

/** What a mutant's run came to. */
interface Verdict {
  directed: string[]
  random: number[]
  /** Seeds of which something was not finished in time and nothing else was wrong: a slow machine does that as well. */
  unfinished: number[]
  reasons: Map<string, number>
}

async function tryMutant(postgresUrl: string, mutant: Mutant): Promise<Verdict> {
  const verdict: Verdict = { directed: [], random: [], unfinished: [], reasons: new Map() }
  const world = await openWorld(postgresUrl, { ...mutant, patienceMs: patience.ms })
  const problemsOf = async (run: () => Promise<Result>) => {
    const problems = await run().then(
      (result) => result.problems,
      (error) => [String(error)],
    )
    for (const problem of new Set(problems.map(kindOf))) count(verdict.reasons, problem)
    return problems
  }
  const runs = [
    ...mutant.against.map((schedule) => async () => {
      const problems = await problemsOf(() => runDirected(world, schedule))
      if (problems.length > 0) verdict.directed.push(schedule.name)
    }),
    ...seeds.map((seed) => async () => {
      const problems = await problemsOf(() => runSchedule(world, seed))
      if (problems.length === 0) return
      const isLate = problems.every((problem) => late.test(problem))
      verdict[isLate ? 'unfinished' : 'random'].push(seed)
    }),
  ]
  const work = async () => {
    for (let run = runs.shift(); run; run = runs.shift()) await run()
  }
  try {
    await Promise.all(Array.from({ length: Number(values['at-once']) }, work))
  } finally {
    await world.close()
  }
  return verdict
}

/** Problems that a machine which is too slow has as well. */
const late = / still |in the mempool|has given out nonces|could not be played|never happened/

/** A problem without the names of what it is about. */
function kindOf(problem: string): string {
  return problem
    .replaceAll(/0x[0-9a-fA-F]+|sub_\w+|proj_\w+|bnt_\w+|slot-[\d-]+/g, '…')
    .replaceAll(/\d+/g, 'n')
    .slice(0, 120)
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const server = await startServer()
try {
  const wanted = values.only.split(',')
  for (const mutant of mutants.filter(({ name }) => wanted.some((part) => name.includes(part)))) {
    const { directed, random, unfinished, reasons } = await tryMutant(server.url, mutant)
    console.log(
      `\n${mutant.name}: ${directed.length} of ${mutant.against.length} directed, ${random.length} of ${seeds.length} random`,
    )
    for (const name of directed) console.log(`  directed: ${name}`)
    for (const [what, noticed] of Object.entries({ random, 'only unfinished': unfinished }))
      if (noticed.length > 0) console.log(`  ${what}: seeds ${noticed.sort((a, b) => a - b).join(', ')}`)
    const commonest = [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 6)
    for (const [reason, times] of commonest) console.log(`  ${times} × ${reason}`)
  }
} finally {
  await server.stop()
}
