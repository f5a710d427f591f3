import { describe, expect, test } from 'vitest'
import { type Measurement, measureGas } from './gas-scenario.ts'

const measurements = await measureGas()

const line = ({ name, gas, limit }: Measurement) =>
  `${name.padEnd(62)} ${String(gas).padStart(8)}${limit === undefined ? '' : `  (at most ${limit})`}\n`

describe('gas of whole transactions', () => {
  test('equals the committed snapshot', async () => {
    await expect(measurements.map(line).join('')).toMatchFileSnapshot('.gas-snapshot')
  })

  for (const { name, gas, limit } of measurements) {
    if (limit === undefined) continue
    test(`${name}: at most ${limit}`, () => {
      expect(gas).toBeLessThanOrEqual(limit)
    })
  }
})
