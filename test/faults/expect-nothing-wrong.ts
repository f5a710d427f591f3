import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Result } from './schedules/run.ts'

/** Fails with what the oracle said, and keeps what the processes logged. */
export async function expectNothingWrong(name: string, { problems, logs }: Result): Promise<void> {
  if (problems.length > 0) {
    const path = join(tmpdir(), `faults-${name.replaceAll(/\W+/g, '-').slice(0, 60)}.log`)
    await writeFile(path, logs.join('\n'))
    console.log(`logs of "${name}": ${path}`)
  }
  expect(problems).toEqual([])
}
