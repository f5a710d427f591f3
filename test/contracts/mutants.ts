import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { repository, runForge } from './forge.ts'
import { type Mutant, mutants } from './mutants.list.ts'

// Plants each bug in a copy of the contracts and checks that its test fails.
//   tsx test/contracts/mutants.ts [name …]

const workspace = join(repository, '.cache/mutants')

async function copyProject(): Promise<void> {
  await rm(workspace, { recursive: true, force: true })
  for (const folder of ['server/chain/contracts', 'test/contracts']) {
    await mkdir(dirname(join(workspace, folder)), { recursive: true })
    await cp(join(repository, folder), join(workspace, folder), { recursive: true })
  }
  await symlink(join(repository, 'node_modules'), join(workspace, 'node_modules'))
}

/** Returns why the test failed on the mutant, or undefined if it passed. */
async function runMutant(mutant: Mutant): Promise<string | undefined> {
  const file = join(workspace, 'server/chain/contracts', mutant.file)
  const source = await readFile(file, 'utf8')
  if (source.split(mutant.original).length !== 2) {
    throw new Error(`${mutant.name}: its original text has to occur exactly once in ${mutant.file}`)
  }
  await writeFile(
    file,
    source.replace(mutant.original, () => mutant.mutation),
  )
  try {
    const report = await runForge({
      root: workspace,
      match: `^${mutant.caughtBy}\\(`,
      environment: { FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0' },
    })
    if (report.length !== 1) throw new Error(`${mutant.name}: there is no single test ${mutant.caughtBy}`)
    const failed = report.find((result) => !result.passed)
    return failed?.reason.split('\n')[0]
  } finally {
    await writeFile(file, source)
  }
}

async function main(): Promise<void> {
  const names = process.argv.slice(2)
  const chosen = mutants.filter((mutant) => names.length === 0 || names.includes(mutant.name))
  await copyProject()
  let survivors = 0
  for (const mutant of chosen) {
    const reason = await runMutant(mutant)
    if (reason === undefined) survivors += 1
    console.log(
      `${reason === undefined ? 'SURVIVED' : 'caught  '} ${mutant.property}: ${mutant.name} (${mutant.caughtBy}: ${reason})`,
    )
  }
  console.log(`${chosen.length - survivors} caught, ${survivors} survived`)
  if (survivors > 0) process.exitCode = 1
}

await main()
