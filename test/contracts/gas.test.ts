import { describe, expect, test } from 'vitest'
import { committedSnapshot, snapshotText } from './gas.ts'
import { measureGas } from './gas-scenario.ts'

const measurements = await measureGas()

describe('gas of whole transactions', () => {
  test('equals the committed snapshot', async () => {
    expect(snapshotText(measurements)).toBe(await committedSnapshot())
  })

  for (const { name, gas, limit } of measurements) {
    if (limit === undefined) continue
    test(`${name}: at most ${limit}`, () => {
      expect(gas).toBeLessThanOrEqual(limit)
    })
  }
})
