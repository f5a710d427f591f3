import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { mutants } from './schedules/mutants.ts'

test.each(mutants.filter(({ patches }) => patches.length > 0))(
  'what "$name" switches off is still there, once',
  async ({ patches }) => {
    for (const { file, find } of patches) {
      const parts = (await readFile(file, 'utf8')).split(find)
      expect({ file, find, times: parts.length - 1 }).toEqual({ file, find, times: 1 })
    }
  },
)
