import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openJournal } from '../../../server/embedded/github/journal.ts'
import { temporaryDirectory } from '../support.ts'

const Line = z.object({ name: z.string(), text: z.string() })

test('however often something changes, the file stays within several times what there is, and has the last of each', async () => {
  const path = join(await temporaryDirectory(), 'journal.jsonl')
  const open = async () => {
    const state = new Map<string, z.infer<typeof Line>>()
    const apply = (line: z.infer<typeof Line>) => void state.set(line.name, line)
    const journal = await openJournal(path, Line, { apply, current: () => [...state.values()] }, 1000)
    return {
      ...journal,
      state,
      write: (line: z.infer<typeof Line>) => journal.append(line).then(() => apply(line)),
    }
  }
  const journal = await open()
  const sizes: number[] = []
  for (let count = 0; count < 200; count++) {
    for (const name of ['a', 'b']) await journal.write({ name, text: `${count}${'x'.repeat(200)}` })
    sizes.push((await stat(path)).size)
  }
  expect(Math.max(...sizes)).toBeLessThan(4000)
  await journal.close()
  const { state, close } = await open()
  expect([...state.values()].map(({ name, text }) => [name, Number.parseInt(text, 10)])).toEqual([
    ['a', 199],
    ['b', 199],
  ])
  await close()
})
