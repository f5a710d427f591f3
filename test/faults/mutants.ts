import { parseArgs } from 'node:util'
import { patience } from './schedules/helpers.ts'
import { mutants } from './schedules/mutants.ts'
import { runDirected } from './schedules/run.ts'
import { openStage, startServer } from './support/stage.ts'

/*
 * Proves that the oracle can fail: switches off one protection at a time, in a bundle of its own, and says what the schedules
 * against it notice. `npm run test:faults:mutants -- [--only "part of a name,of another"]`; the first, with nothing switched off,
 * says how much of it is noise.
 */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
patience.ms = 30_000

const server = await startServer()
try {
  const wanted = values.only.split(',')
  for (const mutant of mutants.filter(({ name }) => wanted.some((part) => name.includes(part)))) {
    const stage = await openStage(server.url, { ...mutant, patienceMs: patience.ms })
    console.log(`\n${mutant.name}`)
    for (const schedule of mutant.against) {
      const problems = await runDirected(stage, schedule).then(
        (result) => result.problems,
        (error) => [String(error)],
      )
      console.log(`  ${problems.length > 0 ? 'noticed by' : 'NOT NOTICED by'}: ${schedule.name}`)
      for (const problem of problems.slice(0, 6)) console.log(`    ${problem}`)
    }
    await stage.close()
  }
} finally {
  await server.stop()
}
