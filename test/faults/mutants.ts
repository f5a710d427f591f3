import { directed } from './schedules/directed.ts'
import { type Mutant, mutants } from './schedules/mutants.ts'
import { type Result, runDirected, runSchedule } from './schedules/run.ts'
import { openWorld, startServer } from './support/world.ts'

/*
 * Proves that the oracle can fail: switches off one protection at a time, in a bundle of its own, and tells which
 * schedules notice. `npm run test:faults:mutants -- [part of a name] [random schedules]`
 */

const [wanted = '', randomCount = '30'] = process.argv.slice(2)
const seeds = Array.from({ length: Number(randomCount) }, (_, index) => index + 1)
const patienceMs = 12_000

/** What a mutant's run came to. */
interface Verdict {
  directed: string[]
  random: number[]
  reasons: Map<string, number>
}

async function tryMutant(postgresUrl: string, mutant: Mutant): Promise<Verdict> {
  const verdict: Verdict = { directed: [], random: [], reasons: new Map() }
  const world = await openWorld(postgresUrl, { ...mutant, patienceMs })
  const caught = async (run: () => Promise<Result>) => {
    const problems = await run().then(
      (result) => result.problems,
      (error) => [String(error)],
    )
    for (const problem of problems) count(verdict.reasons, kindOf(problem))
    return problems.length > 0
  }
  try {
    for (const schedule of directed)
      if (await caught(() => runDirected(world, schedule))) verdict.directed.push(schedule.name)
    for (const seed of seeds) if (await caught(() => runSchedule(world, seed))) verdict.random.push(seed)
  } finally {
    await world.close()
  }
  return verdict
}

/** A problem without the names of what it is about. */
function kindOf(problem: string): string {
  return problem
    .replaceAll(/0x[0-9a-fA-F]+|sub_\w+|proj_\w+|bnt_\w+|berth-[\d-]+/g, '…')
    .replaceAll(/\d+/g, 'n')
    .slice(0, 120)
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const server = await startServer()
try {
  for (const mutant of mutants.filter(({ name }) => name.includes(wanted))) {
    const { directed: thoughtOut, random, reasons } = await tryMutant(server.url, mutant)
    const commonest = [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 6)
    console.log(
      `\n${mutant.name}: ${thoughtOut.length} of ${directed.length} directed, ${random.length} of ${seeds.length} random`,
    )
    for (const name of thoughtOut) console.log(`  directed: ${name}`)
    if (random.length > 0) console.log(`  random: seeds ${random.join(', ')}`)
    for (const [reason, times] of commonest) console.log(`  ${times} × ${reason}`)
  }
} finally {
  await server.stop()
}
