import { expect } from 'vitest'
import { violatedConstraint } from '../../../server/db/transaction.ts'

/** Expects that writing fails on the constraint of that name. */
export async function expectRefused(write: Promise<unknown>, constraint: string | RegExp) {
  const refused = await write.then(
    () => 'written',
    (error) => error,
  )
  expect(violatedConstraint(refused) ?? refused).toMatch(constraint)
}
