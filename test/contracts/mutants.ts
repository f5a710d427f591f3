import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { repository, runForge } from './forge.ts'
import { type PlantedBug, plant, readPlantedBugs } from './planted-bugs.ts'

// Plants each bug of mutants.diff in a copy of the contracts and checks that the test named beside it fails.
//   tsx test/contracts/mutants.ts [part of a line in mutants.diff …]

const workspace = join(repository, '.cache/mutants')

async function copyProject(): Promise<void> {
  await rm(workspace, { recursive: true, force: true })
  for (const folder of ['server/money/chain/contracts', 'test/contracts']) {
    await mkdir(dirname(join(workspace, folder)), { recursive: true })
    await cp(join(repository, folder), join(workspace, folder), { recursive: true })
  }
  await symlink(join(repository, 'node_modules'), join(workspace, 'node_modules'))
}

async function isCaught(bug: PlantedBug): Promise<boolean> {
  const path = join(workspace, 'server/money/chain/contracts', bug.file)
  const source = await readFile(path, 'utf8')
  await writeFile(path, plant(bug, source))
  const environment = { FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0' }
  const report = await runForge({ root: workspace, match: `^${bug.test}\\(`, environment })
  await writeFile(path, source)
  if (report.length !== 1) throw new Error(`${bug.title}: there is no single test of this name`)
  return report.some(({ passed }) => !passed)
}

const wanted = process.argv.slice(2)
const chosen = (await readPlantedBugs()).filter(
  ({ title }) => wanted.length === 0 || wanted.some((part) => title.includes(part)),
)
await copyProject()
let survivors = 0
for (const bug of chosen) {
  const caught = await isCaught(bug)
  if (!caught) survivors += 1
  console.log(`${caught ? 'caught  ' : 'SURVIVED'} ${bug.title}`)
}
console.log(`${chosen.length - survivors} caught, ${survivors} survived`)
if (survivors > 0) process.exitCode = 1
