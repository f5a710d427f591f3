/** @module-tag git */
import { beforeAll, describe, expect, test } from 'vitest'
import { lockBounty } from '../../../server/lifecycle/situation.ts'
import { openLapsed } from '../../../server/market/deadlines/store.ts'
import { cloned } from '../../support/claimants.ts'
import { expectError } from '../../support/errors.ts'
import { createRows } from '../../support/rows.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createHostScene, type HostScene, theNextSecond } from './host-scene.ts'

/* What a founder does at the code host to take work. */
let host: Awaited<ReturnType<typeof createHostScene>>
beforeAll(async () => {
  host = await createHostScene()
})
const scene = () => host.scene()
const expectPaid: typeof host.expectPaid = (work, number) => host.expectPaid(work, number)

describe('work that its founder merges before it is submitted is paid', () => {
  test('though others held the lock of the bounty while the code host reported it', async () => {
    const work = await scene()
    await work.act('claim')
    let number = 0
    await host.market.db.transaction().execute(async (trx) => {
      await lockBounty(trx, work.bounty.id)
      number = (await work.opens()).number
      await until(work.isSeen(number))
    })
    expect((await work.merges(number)).status).toBe(200)
    await expectPaid(work, number)
  })

  test('though it is the second pull request of the claim', async () => {
    const work = await scene()
    await work.act('claim')
    const first = await work.opens()
    await until(work.isSeen(first.number))
    await work.asClaimant('PATCH', `/pulls/${first.number}`, { state: 'closed' })
    const { number } = await work.opens()
    await until(work.isSeen(number))
    expect((await work.merges(number)).status).toBe(200)
    await expectPaid(work, number)
  })

  test('though its pull request is older than the claim', async () => {
    const work = await scene()
    const { number } = await work.opens()
    await until(work.isSeen(number))
    expect((await work.act('claim')).status).toBe(200)
    await theNextSecond()
    expect((await work.merges(number)).status).toBe(200)
    await expectPaid(work, number)
  })

  test('though it was amended, its pull request closed, and its commit merged by another way', async () => {
    const work = await scene()
    await work.act('claim')
    const { number, branch, head } = await work.opens()
    await until(async () => (await work.claimOf(work.bounty)).proof_due_at === null)
    await work.run('commit', '-q', '--amend', '-m', 'Better')
    await work.push(branch)
    const newest = (await work.asClaimant('GET', `/pulls/${number}`)).body.head.sha
    await until(async () => {
      const rows = await host.market.db
        .selectFrom('seen_pulls')
        .select('head_sha')
        .where('number', '=', number)
        .execute()
      return rows.some(({ head_sha }) => head_sha === newest)
    })
    expect((await work.asFounder('PATCH', `/pulls/${number}`, { state: 'closed' })).status).toBe(200)
    expect((await work.asOwner('POST', '/merges', { base: 'main', head })).status).toBe(201)
    await expectPaid(work, number)
  })
})

describe('while another pull request of its author is in review, what its founder merges is paid', () => {
  /** The bounty's submission, once it is paid. */
  async function paid({ bounty }: HostScene) {
    await until(
      async () => (await host.market.api('GET', `/api/bounties/${bounty.id}`)).body.bounty.status === 'done',
    )
    const { submissions } = (await host.market.api('GET', `/api/bounties/${bounty.id}`)).body.bounty
    return submissions.map(({ pr_url, status }: Record<string, string>) => [
      pr_url?.split('/').at(-1),
      status,
    ])
  }

  test.each(['before', 'after'])('opened %s the submission', async (when) => {
    const work = await scene()
    await work.act('claim')
    const first = await work.opens()
    const second = when === 'before' && (await work.opens())
    if (second) await until(work.isSeen(second.number))
    expect((await work.submit(first.number)).status).toBe(201)
    const { number } = second || (await work.opens())
    await until(work.isSeen(number))
    expect((await work.merges(number)).status).toBe(200)
    // The payment may be through by then.
    expect((await work.reject()).status).not.toBe(200)
    expect(await paid(work)).toEqual([[`${number}`, 'approved']])
  })

  test('opened again with the same commit after its founder closed the first', async () => {
    const work = await scene()
    await work.act('claim')
    const { number: closed, head } = await work.opens()
    expect((await work.submit(closed)).status).toBe(201)
    await work.asFounder('PATCH', `/pulls/${closed}`, { state: 'closed' })
    const again = { title: 'Work', head, base: 'main' }
    const { number } = (await work.asClaimant('POST', '/pulls', again)).body
    await until(work.isSeen(number))
    await work.merges(number)
    expect(await paid(work)).toEqual([[`${number}`, 'approved']])
  })
})

describe('work that is merged before the deadline of its claim', () => {
  /** Merged, and read. Then the deadline is over. */
  async function overdue() {
    const work = await scene()
    await work.act('claim')
    const { number } = await work.opens()
    await until(work.isSeen(number))
    expect((await work.merges(number)).status).toBe(200)
    const { id } = work.bounty
    const seen = { bounty_id: id, number }
    const { claim_expires_at } = await readRow(host.market.db, 'bounties', { id })
    // It is looked at again when the claim ends.
    await until(
      async () => `${(await readRow(host.market.db, 'seen_pulls', seen)).look_at}` === `${claim_expires_at}`,
    )
    await setRows(host.market.db, 'bounties', { id }, { claim_expires_at: new Date(Date.now() - 60_000) })
    return { work, number, seen }
  }

  test('does not lapse and is taken over by nobody', async () => {
    const { work, number } = await overdue()
    expect(await openLapsed(host.market.db, 10)).toEqual([])
    const { key } = await host.market.register()
    expectError(
      await host.market.api('POST', `/api/bounties/${work.bounty.id}/claim`, { key }),
      'bounty_not_open',
    )
    await expectPaid(work, number)
  })

  test('is submitted for its claimant at the deadline, and paid', async () => {
    const { work, seen } = await overdue()
    await setRows(host.market.db, 'seen_pulls', seen, { look_at: new Date() })
    await until(
      async () =>
        (await host.market.api('GET', `/api/bounties/${work.bounty.id}`)).body.bounty.status === 'done',
    )
  })
})

test('work that is merged before the deadline of its claim is paid though the report of that is lost', async () => {
  const work = await scene()
  await work.act('claim')
  const { number } = await work.opens()
  await until(work.isSeen(number))
  await work.merges(number)
  const { id } = work.bounty
  const seen = { bounty_id: id, number }
  const isRead = async () => {
    const { merged_at, look_at } = await readRow(host.market.db, 'seen_pulls', seen)
    return merged_at !== null && Number(look_at) > Date.now() + 3_600_000
  }
  await until(isRead)
  await setRows(host.market.db, 'seen_pulls', seen, { merged_at: null, look_at: null })
  const over = { claim_expires_at: new Date(Date.now() - 60_000), look_at: new Date() }
  await setRows(host.market.db, 'bounties', { id }, over)
  await until(async () => (await host.market.api('GET', `/api/bounties/${id}`)).body.bounty.status === 'done')
})

test('a claim lapses though its pull request was reported as merged, if that accepts nothing', async () => {
  const work = await scene()
  await work.act('claim')
  const { number } = await work.opens()
  await until(work.isSeen(number))
  const { id } = work.bounty
  const seen = { bounty_id: id, number }
  await setRows(host.market.db, 'seen_pulls', seen, { merged_at: new Date(), look_at: new Date() })
  await until(async () => (await readRow(host.market.db, 'seen_pulls', seen)).merged_at === null)
  const over = { claim_expires_at: new Date(Date.now() - 60_000), look_at: new Date() }
  await setRows(host.market.db, 'bounties', { id }, over)
  await until(async () => (await host.market.api('GET', `/api/bounties/${id}`)).body.bounty.status === 'open')
})

test('work that was opened while another agent had the bounty in review is paid', async () => {
  const work = await scene()
  const other = await cloned(host.market, host.folder, work.bounty)
  await other.act('claim')
  await other.commit()
  await other.push(work.bounty.id)
  const pull = { title: 'Work', head: `${other.claimant.id}/${work.bounty.id}`, base: 'main' }
  const opened = await work.asAgent(other.token, 'POST', '/pulls', pull)
  expect((await other.act('submit', work.bounty, { pr_url: opened.body.html_url })).status).toBe(201)
  const { number } = await work.opens()
  await until(work.isSeen(number))
  expect((await work.reject()).status).toBe(200)
  expect((await work.act('claim')).status).toBe(200)
  await theNextSecond()
  expect((await work.merges(number)).status).toBe(200)
  await expectPaid(work, number)
})

test('a founder that has another agent paid for a copy of the commit pays for the work that it merges', async () => {
  const work = await scene()
  await work.act('claim')
  const { number } = await work.opens()
  await until(work.isSeen(number))
  const { head } = (await work.asClaimant('GET', `/pulls/${number}`)).body
  const rows = createRows(host.market.db)
  const bounty_id = await rows.bounty({ project_id: work.project.id })
  const submission_id = await rows.submission({ bounty_id, status: 'approved', reviewed_at: new Date() })
  await rows.payout({ submission_id, project_id: work.project.id, head_sha: head.sha, status: 'settled' })
  await theNextSecond()
  await work.merges(number)
  await expectPaid(work, number)
})

test('a commit that was copied from the branch of another agent is not its work when that is merged', async () => {
  const work = await scene()
  await work.act('claim')
  const other = await cloned(host.market, host.folder, work.bounty)
  await other.commit()
  await other.push('first')
  const branch = `${other.claimant.id}/first`
  await theNextSecond()
  await work.run('fetch', '-q', 'origin', branch)
  await work.run('reset', '-q', '--hard', 'FETCH_HEAD')
  await work.push(work.bounty.id)
  const pull = { title: 'Work', head: `${work.claimant.id}/${work.bounty.id}`, base: 'main' }
  const { number } = (await work.asClaimant('POST', '/pulls', pull)).body
  expect((await work.submit(number)).status).toBe(201)
  expect((await work.asOwner('POST', '/merges', { base: 'main', head: branch })).status).toBe(201)
  // Until the merge was looked at, it may be the claimant's.
  await until(async () => (await work.reject()).status === 200)
})

test('a merge of the paid commit by its hash pays none of the commits below it', async () => {
  const work = await scene()
  await work.act('claim')
  const lower = await work.opens()
  const upper = await work.opens()
  expect((await work.submit(upper.number)).status).toBe(201)
  const { founder, id } = work.bounty
  expect((await host.market.act({ id }, 'approve', founder, {})).status).toBe(200)
  // It moves on, so that what was paid is merged by its hash.
  await work.commit()
  await work.push(upper.branch)
  const next = await host.market.openBounty({ project: work.project })
  expect((await work.act('claim', next)).status).toBe(200)
  await work.run('reset', '-q', '--hard', `origin/${lower.head}`)
  await work.push(next.id)
  const pull = { title: 'Work', head: `${work.claimant.id}/${next.id}`, base: 'main' }
  const { number } = (await work.asClaimant('POST', '/pulls', pull)).body
  const pr_url = `${work.project.repo_url}/pull/${number}`
  expect((await work.act('submit', next, { pr_url })).status).toBe(201)
  expect((await host.market.act({ id }, 'merge', founder)).status).toBe(200)
  // Until the merge was looked at, it may be the claimant's.
  const reject = () => host.market.act(next, 'reject', founder, { review_notes: 'No.' })
  await until(async () => (await reject()).status === 200)
})

test.each([0, 21])(
  'a paid commit brings the commits below it to the default branch, and none of them is paid again; %i others were paid since',
  async (others) => {
    const work = await scene()
    await work.act('claim')
    const lower = await work.opens()
    const upper = await work.opens(`paid-${work.bounty.id}`)
    const { sha } = (await work.asClaimant('GET', `/pulls/${upper.number}`)).body.head
    const rows = createRows(host.market.db)
    /** A paid commit of the project, and how many days ago its payment began. */
    const paid = async (head_sha: string, days: number, fields: { agent_id?: string } = {}) => {
      const bounty_id = await rows.bounty({ project_id: work.project.id })
      const reviewed = { bounty_id, status: 'approved', reviewed_at: new Date() } as const
      const submission_id = await rows.submission({ ...reviewed, ...fields })
      const begun_at = new Date(Date.now() - days * 86_400_000)
      await rows.payout({ submission_id, project_id: work.project.id, head_sha, begun_at, status: 'settled' })
    }
    await paid(sha, 2, { agent_id: work.claimant.id })
    for (let index = 0; index < others; index++) await paid(`${index + 10}`.repeat(20), 1)
    // The host does not call it merged then.
    await work.asClaimant('PATCH', `/pulls/${upper.number}`, { state: 'closed' })
    expect((await work.submit(lower.number)).status).toBe(201)
    expect((await work.asOwner('POST', '/merges', { base: 'main', head: upper.head })).status).toBe(201)
    // Until the merge was looked at, it may be the claimant's.
    await until(async () => (await work.reject()).status === 200)
  },
)

test('a maintainer brings nothing to the default branch past its pull request', async () => {
  const work = await scene()
  await work.act('claim')
  const { number, head } = await work.opens()
  expect((await work.submit(number)).status).toBe(201)
  const { status, body } = await work.asFounder('POST', '/merges', { base: 'main', head })
  expect([status, body.message]).toEqual([409, 'Changes must be made through a pull request.'])
  expect((await work.asClaimant('GET', `/pulls/${number}`)).body.merged).toBe(false)
  expect((await work.reject()).status).toBe(200)
})
