import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('each countermeasure names its tests, one by one, and they exist', async () => {
  const text = await readFile(join(import.meta.dirname, 'README.md'), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('|') && !/^\|(-| Risk)/.test(line))
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    const named = [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+\.ts)`/g)].map(
      ([, file]) => file as string,
    )
    expect(named, row).not.toEqual([])
    expect(named.filter((file) => !existsSync(join(import.meta.dirname, file)))).toEqual([])
  }
})
