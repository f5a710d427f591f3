import { describe, expect, test, vi } from 'vitest'
import type { Alarm } from '../../../../server/loops/alarms.ts'
import { capFees, raiseFees, suggestOnce } from '../../../../server/money/transactions/send/fees.ts'

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas })
const noLimit = 10n ** 18n

describe('raiseFees', () => {
  test('raises both fields by an eighth, rounded up', () => {
    expect(raiseFees(fees(800n, 81n), fees(400n, 1n), noLimit)).toEqual(fees(900n, 92n))
  })

  test('goes at least to the suggestion', () => {
    expect(raiseFees(fees(800n, 80n), fees(5000n, 500n), noLimit)).toEqual(fees(5000n, 500n))
  })

  test('never repeats fees of nothing, which would be the same transaction', () => {
    expect(raiseFees(fees(0n, 0n), fees(8n, 0n), noLimit)).toEqual(fees(8n, 1n))
  })

  test('gives up above five times the suggestion', () => {
    expect(raiseFees(fees(4444n, 1n), fees(1000n, 1n), noLimit)).toEqual(fees(5000n, 2n))
    expect(raiseFees(fees(4445n, 1n), fees(1000n, 1n), noLimit)).toBeUndefined()
  })

  test('gives up above what an operator allows', () => {
    expect(raiseFees(fees(800n, 1n), fees(800n, 1n), 900n)).toEqual(fees(900n, 2n))
    expect(raiseFees(fees(800n, 1n), fees(800n, 1n), 899n)).toBeUndefined()
  })
})

test('capFees leaves neither field above what an operator allows', () => {
  expect(capFees(fees(500n, 400n), 450n)).toEqual(fees(450n, 400n))
  expect(capFees(fees(500n, 480n), 450n)).toEqual(fees(450n, 450n))
  expect(capFees(fees(5n, 4n), 450n)).toEqual(fees(5n, 4n))
})

describe('suggestOnce', () => {
  /** A lane whose node suggests these fees. */
  function laneWith(suggested: ReturnType<typeof fees>, most: bigint) {
    const alarms: Alarm[] = []
    const client = { estimateFeesPerGas: vi.fn(async () => suggested) }
    const context = {
      chain: { client },
      limits: { maxFeePerGas: most },
      address: '0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD',
      alarm: (alarm: Alarm) => void alarms.push(alarm),
    } as unknown as Parameters<typeof suggestOnce>[0]
    return { suggestion: suggestOnce(context), client, alarms }
  }

  test('asks the node once, however often it is called', async () => {
    const { suggestion, client, alarms } = laneWith(fees(30n, 2n), 100n)
    expect([await suggestion(), await suggestion()]).toEqual([fees(30n, 2n), fees(30n, 2n)])
    expect(client.estimateFeesPerGas).toHaveBeenCalledTimes(1)
    expect(alarms).toEqual([])
  })

  test('caps a suggestion above MAX_FEE_GWEI and alarms the operator', async () => {
    const { suggestion, alarms } = laneWith(fees(3_000_000_000n, 1n), 2_000_000_000n)
    expect(await suggestion()).toEqual(fees(2_000_000_000n, 1n))
    expect(alarms).toEqual([
      {
        kind: 'fees_at_cap',
        lane: '0xabcdefabcdefabcdefabcdefabcdefabcdefabcd',
        why: 'the node suggests 3 gwei per gas, more than MAX_FEE_GWEI allows',
      },
    ])
  })
})
