import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quickPayouts } from './schedules/crashes.ts'
import { firstAgainst, mutants } from './schedules/mutants.ts'
import { nameOf, occurrences } from './support/bundle.ts'

const root = join(import.meta.dirname, '../..')
const names = (await readdir(join(root, 'server'), { recursive: true })).filter((name) =>
  name.endsWith('.ts'),
)
const sources = await Promise.all(
  names.map(async (name) => ({
    file: join('server', name),
    text: await readFile(join(root, 'server', name), 'utf8'),
  })),
)

test.each(mutants.filter(({ patches }) => patches.length > 0))(
  'the code that mutant "$name" patches exists exactly once',
  ({ patches }) => {
    for (const patch of patches) {
      const times = sources.map(({ file, text }) => occurrences(patch, file, text))
      expect({ patch: nameOf(patch), times: times.reduce((sum, one) => sum + one, 0) }).toEqual({
        patch: nameOf(patch),
        times: 1,
      })
    }
  },
)

test.each(mutants)('npm test has a test against mutant "$name"', async ({ against, noticedBy }) => {
  if (noticedBy) expect(await readFile(join(root, noticedBy.file), 'utf8')).toContain(noticedBy.title)
  else expect([...firstAgainst, ...quickPayouts.killed, ...quickPayouts.stopped]).toContain(against[0])
})
