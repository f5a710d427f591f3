import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './forge.ts'
import { plant, readPlantedBugs } from './planted-bugs.ts'

test('every bug of mutants.diff can be planted', async () => {
  for (const bug of await readPlantedBugs()) {
    const source = await readFile(join(repository, 'server/money/chain/contracts', bug.file), 'utf8')
    expect(plant(bug, source), bug.title).not.toBe(source)
  }
})
