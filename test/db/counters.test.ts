import fc from 'fast-check'
import { test } from 'vitest'
import { openTestDatabase } from '../support/database.ts'
import { claimTerms, createRows } from '../support/rows.ts'
import { expectCountersToHold } from './support/counters.ts'

const { db } = await openTestDatabase({ size: 8 })
const rows = createRows(db)

/** Steps that any number of connections take at once; each tells what it wants to do with some bounty. */
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('offer', 'claim', 'submit', 'reject', 'return', 'cancel', 'pay', 'undo'),
    which: fc.nat(20),
    reward: fc.integer({ min: 1, max: 1000 }),
  }),
  { minLength: 20, maxLength: 60 },
)

test('statistics and commitments equal the tables after concurrent steps', async () => {
  const projects = await Promise.all([rows.project(), rows.project(), rows.project()])
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      await Promise.all(sequence.map(take))
      await expectCountersToHold(db)
    }),
    { numRuns: 10 },
  )

  async function take({ what, which, reward }: { what: string; which: number; reward: number }) {
    const project_id = projects[which % projects.length] as string
    if (what === 'offer') await rows.bounty({ project_id, reward_amount: reward })
    else if (what === 'undo')
      await db
        .transaction()
        .execute(async (trx) => {
          await createRows(trx).bounty({ project_id, reward_amount: reward })
          await createRows(trx).agent()
          throw new Error('undone')
        })
        .catch(() => undefined)
    else await move(what, which)
  }

  async function move(what: string, which: number) {
    const [from, to] = {
      claim: ['open', 'claimed'],
      submit: ['claimed', 'in_review'],
      reject: ['in_review', 'open'],
      return: ['in_review', 'claimed'],
      cancel: ['open', 'cancelled'],
    }[what] ?? ['in_review', 'done']
    const claim =
      from === 'open' && to === 'claimed'
        ? { claimed_by: await rows.agent(), claimed_at: new Date() }
        : to === 'open'
          ? { claimed_by: null, claimed_at: null }
          : {}
    const found = await db
      .selectFrom('bounties')
      .where('status', '=', from as 'open')
      .select('id')
      .orderBy('id')
      .offset(which % 5)
      .limit(1)
      .executeTakeFirst()
    if (!found) return
    const moved = await db
      .updateTable('bounties')
      .set({ status: to as 'open', ...claim, ...claimTerms(to) })
      .where('id', '=', found.id)
      .where('status', '=', from as 'open')
      .returning('id')
      .executeTakeFirst()
    if (moved && to === 'in_review')
      await rows.submission({ bounty_id: found.id, status: 'rejected', reviewed_at: new Date() })
  }
})
