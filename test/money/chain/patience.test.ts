import { expect, test } from 'vitest'
import { ServiceError } from '../../../server/errors.ts'
import { isRead, type NoReading, withinPatience } from '../../../server/money/chain/patience.ts'

/** Longer than any test: a timer of it that is left behind fails this file. */
const longest = 3_600_000

const failing = async (code: NoReading | 'project_not_found') => {
  throw new ServiceError(code)
}

test('gives what was read', async () => {
  const read = await withinPatience(Promise.resolve(7), longest)
  expect([read, isRead(read)]).toEqual([7, true])
})

test('says that the chain does not respond once the time is over', async () => {
  const read = await withinPatience(new Promise<number>(() => undefined), 10)
  expect([read, isRead(read)]).toEqual(['chain_unreachable', false])
})

test.each(['chain_not_configured', 'token_not_deployed', 'chain_unreachable'] as const)(
  'says %s',
  async (code) => {
    expect(await withinPatience(failing(code), longest)).toBe(code)
    // As tRPC throws it.
    const wrapped = failing(code).catch((cause: unknown) => Promise.reject(new Error('', { cause })))
    expect(await withinPatience(wrapped, longest)).toBe(code)
  },
)

test('throws what else the reading throws', async () => {
  await expect(withinPatience(failing('project_not_found'), longest)).rejects.toMatchObject({
    code: 'project_not_found',
  })
})
