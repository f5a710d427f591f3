/** @module-tag git */
import { beforeAll, describe, expect, test } from 'vitest'
import { openLapsed } from '../../../server/engines/deadlines/store.ts'
import { lockBounty } from '../../../server/lifecycle/situation.ts'
import { directoryForFile } from '../../embedded/support.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { createRows } from '../../support/rows.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { cloned, hostTokenOf } from '../support/claimants.ts'

/* What a founder does at the code host to take work, and what a claimant does to be paid for none. */
let market: TestMarket
let folder: string
beforeAll(async () => {
  market = await createTestMarket({ git: true, databaseLoops: true })
  folder = await directoryForFile()
})

/** A claimant, and the code host as it and its founder, who is maintainer, use it. */
async function scene() {
  const claimant = await cloned(market, folder)
  const { bounty, project, token } = claimant
  const { founder } = bounty
  // An account at the embedded host begins with its first token.
  const founderToken = await hostTokenOf(founder, project.repo_url)
  const maintains = await market.api('POST', `/api/projects/${project.id}/maintainer`, {
    key: founder.key,
    body: { github_login: founder.id },
  })
  expect(maintains.status, JSON.stringify(maintains.body)).toBeLessThan(300)
  const { origin, pathname } = new URL(project.repo_url)
  const host = async (as: string, method: string, path: string, body?: object) => {
    const reply = await fetch(`${origin}/api/v3/repos${pathname}${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
    return { status: reply.status, body: (await reply.json()) as any }
  }
  const naming = `Bounty: ${bounty.id}\nAgent: ${claimant.claimant.id}`
  let branches = 0
  return {
    ...claimant,
    naming,
    asAgent: host,
    asClaimant: (method: string, path: string, body?: object) => host(token, method, path, body),
    asFounder: (method: string, path: string, body?: object) => host(founderToken, method, path, body),
    /** The owner of the organization, whom no protection of a branch stops. */
    asOwner: (method: string, path: string, body?: object) => host(market.githubToken, method, path, body),
    /** The founder does. */
    merges: (number: number) =>
      host(founderToken, 'PUT', `/pulls/${number}/merge`, { merge_method: 'squash' }),
    reject: () => market.act(bounty, 'reject', founder, { review_notes: 'No.' }),
    submit: (number: number) =>
      claimant.act('submit', bounty, { pr_url: `${project.repo_url}/pull/${number}` }),
    /** Opens a pull request with a commit of its own; its number and branch. */
    async opens(body = naming) {
      const branch = `work-${++branches}`
      await claimant.commit()
      await claimant.push(branch)
      const head = `${claimant.claimant.id}/${branch}`
      const { body: pull } = await host(token, 'POST', '/pulls', { title: 'Work', head, base: 'main', body })
      return { number: pull.number as number, branch, head }
    },
    isSeen: (number: number) => async () => {
      const rows = await market.db
        .selectFrom('seen_pulls')
        .selectAll()
        .where('bounty_id', '=', bounty.id)
        .where('number', '=', number)
        .where('is_taken_back', '=', false)
        .execute()
      return rows.length > 0
    },
  }
}

/** The host dates a merge to whole seconds, and what is merged in the second of the claim may have been merged before it. */
async function theNextSecond() {
  const second = Math.floor(Date.now() / 1000)
  await until(() => Date.now() >= (second + 1) * 1000)
}

async function expectPaid({ bounty, submit, reject }: Awaited<ReturnType<typeof scene>>, number: number) {
  const submitted = await submit(number)
  expect(submitted.status).toBe(201)
  expect(submitted.body.warnings).toEqual([expect.stringContaining('the payout begins by itself')])
  const { body } = await reject()
  expect(['pull_request_merged', 'approval_in_progress', 'bounty_not_in_review']).toContain(body.error.code)
  await until(
    async () => (await market.api('GET', `/api/bounties/${bounty.id}`)).body.bounty.status === 'done',
  )
}

describe('work that its founder merges before it is submitted is paid', () => {
  test('though others held the lock of the bounty while the code host reported it', async () => {
    const work = await scene()
    await work.act('claim')
    let number = 0
    await market.db.transaction().execute(async (trx) => {
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
      const rows = await market.db
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
  async function paid({ bounty }: Awaited<ReturnType<typeof scene>>) {
    await until(
      async () => (await market.api('GET', `/api/bounties/${bounty.id}`)).body.bounty.status === 'done',
    )
    const { submissions } = (await market.api('GET', `/api/bounties/${bounty.id}`)).body.bounty
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
    const again = { title: 'Work', head, base: 'main', body: work.naming }
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
    const { claim_expires_at } = await readRow(market.db, 'bounties', { id })
    // It is looked at again when the claim ends.
    await until(
      async () => `${(await readRow(market.db, 'seen_pulls', seen)).look_at}` === `${claim_expires_at}`,
    )
    await setRows(market.db, 'bounties', { id }, { claim_expires_at: new Date(Date.now() - 60_000) })
    return { work, number, seen }
  }

  test('does not lapse and is taken over by nobody', async () => {
    const { work, number } = await overdue()
    expect(await openLapsed(market.db, 10)).toEqual([])
    const { key } = await market.register()
    expectError(await market.api('POST', `/api/bounties/${work.bounty.id}/claim`, { key }), 'bounty_not_open')
    await expectPaid(work, number)
  })

  test('is submitted for its claimant at the deadline, and paid', async () => {
    const { work, seen } = await overdue()
    await setRows(market.db, 'seen_pulls', seen, { look_at: new Date() })
    await until(
      async () => (await market.api('GET', `/api/bounties/${work.bounty.id}`)).body.bounty.status === 'done',
    )
  })
})

test('a merged pull request that was paid for another bounty accepts nothing', async () => {
  const work = await scene()
  await work.act('claim')
  const [paid, { number }] = [await work.opens(), await work.opens()]
  expect((await work.submit(number)).status).toBe(201)
  await until(work.isSeen(paid.number))
  const rows = createRows(market.db)
  const bounty_id = await rows.bounty({ project_id: work.project.id })
  const pr_url = `${work.project.repo_url}/pull/${paid.number}`
  await rows.submission({
    bounty_id,
    agent_id: work.claimant.id,
    status: 'approved',
    reviewed_at: new Date(),
    pr_url,
  })
  await work.merges(paid.number)
  await until(async () => (await work.reject()).status === 200)
})

test('a claim lapses though its pull request was reported as merged, if that accepts nothing', async () => {
  const work = await scene()
  await work.act('claim')
  const { number } = await work.opens()
  await until(work.isSeen(number))
  const { id } = work.bounty
  const seen = { bounty_id: id, number }
  await setRows(market.db, 'seen_pulls', seen, { merged_at: new Date(), look_at: new Date() })
  await until(async () => (await readRow(market.db, 'seen_pulls', seen)).merged_at === null)
  await setRows(market.db, 'bounties', { id }, { claim_expires_at: new Date(Date.now() - 60_000) })
  await until(async () => (await market.api('GET', `/api/bounties/${id}`)).body.bounty.status === 'open')
})

test('work that was opened while another agent had the bounty in review is paid', async () => {
  const work = await scene()
  const other = await cloned(market, folder, work.bounty)
  await other.act('claim')
  await other.commit()
  await other.push('work')
  const body = `Bounty: ${work.bounty.id}\nAgent: ${other.claimant.id}`
  const pull = { title: 'Work', head: `${other.claimant.id}/work`, base: 'main', body }
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

test('a pull request whose author has taken the names away is not its work any more: merged as a gift it pays nothing', async () => {
  const work = await scene()
  await work.act('claim')
  const { number } = await work.opens()
  await until(work.isSeen(number))
  await work.asClaimant('PATCH', `/pulls/${number}`, { title: 'A gift', body: 'No reward wanted.' })
  await until(async () => !(await work.isSeen(number)()))
  await work.merges(number)
  const submitted = await work.submit(number)
  expect(submitted.body.warnings).toEqual([
    expect.stringContaining('the founder decides'),
    expect.stringContaining('does not name this bounty'),
  ])
  const { status, body } = await work.reject()
  expect(status, JSON.stringify(body)).toBe(200)
})

/** A change by the claimant, which the host reports with the description that somebody else has written. */
test.each(['nothing', 'a commit', 'the title', 'the state'])(
  'a pull request whose names its founder has taken away is still its work, though its author changes %s afterwards',
  async (changed) => {
    const work = await scene()
    await work.act('claim')
    const { number, branch } = await work.opens()
    await until(work.isSeen(number))
    await work.asFounder('PATCH', `/pulls/${number}`, { body: 'No reward wanted.' })
    if (changed === 'a commit') {
      await work.commit()
      await work.push(branch)
    }
    const patches = {
      'the title': [{ title: 'Better' }],
      'the state': [{ state: 'closed' }, { state: 'open' }],
    }[changed]
    for (const patch of patches ?? []) await work.asClaimant('PATCH', `/pulls/${number}`, patch)
    await work.merges(number)
    await expectPaid(work, number)
  },
)

describe('a founder pays nothing by merging what its author has', () => {
  const naming = ({ claimant }: Awaited<ReturnType<typeof scene>>, ...ids: string[]) =>
    [...ids.map((id) => `Bounty: ${id}`), `Agent: ${claimant.id}`].join('\n')

  test('changed to name this bounty right before', async () => {
    const work = await scene()
    const small = await market.openBounty({ project: work.project })
    await work.act('claim')
    const { number } = await work.opens(naming(work, small.id))
    await work.asClaimant('PATCH', `/pulls/${number}`, { body: work.naming })
    await until(work.isSeen(number))
    await work.merges(number)
    const submitted = await work.submit(number)
    expect(submitted.body.warnings).toEqual([expect.stringContaining('the founder decides')])
    // Until the reported merge is read, nothing ends the review.
    const seen = { bounty_id: work.bounty.id, number }
    await until(async () => (await readRow(market.db, 'seen_pulls', seen)).merged_at === null)
    expect((await work.reject()).status).toBe(200)
  })

  test.each([
    'changed to name another bounty',
    'changed to name another bounty while it was closed',
    'added another bounty to',
  ])('%s', async (how) => {
    const work = await scene()
    const small = await market.openBounty({ project: work.project })
    await work.act('claim')
    const { number } = await work.opens()
    await until(work.isSeen(number))
    const change = (body: object) => work.asClaimant('PATCH', `/pulls/${number}`, body)
    if (how.includes('closed')) await change({ state: 'closed' })
    await change({
      body: how.startsWith('added') ? naming(work, small.id, work.bounty.id) : naming(work, small.id),
    })
    if (how.includes('closed')) await change({ state: 'open' })
    await until(async () => !(await work.isSeen(number)()))
    await work.merges(number)
    const submitted = await work.submit(number)
    if (submitted.status === 201) expect((await work.reject()).status).toBe(200)
    else expectError(submitted, 'pull_request_invalid')
  })

  test.each(['sent back and then', 'had in review and'])(
    '%s changed to name another bounty',
    async (when) => {
      const work = await scene()
      const small = await market.openBounty({ project: work.project })
      await work.act('claim')
      const { number } = await work.opens()
      expect((await work.submit(number)).status).toBe(201)
      const end = (verb: string) =>
        market.act(work.bounty, verb, work.bounty.founder, { review_notes: 'No.' })
      if (when.startsWith('sent')) expect((await end('request-changes')).status).toBe(200)
      await work.asClaimant('PATCH', `/pulls/${number}`, { body: naming(work, small.id) })
      await until(async () => !(await work.isSeen(number)()))
      await work.merges(number)
      if (when.startsWith('sent')) expectError(await work.submit(number), 'pull_request_invalid')
      else expect((await end('reject')).status).toBe(200)
    },
  )

  test.each([
    ['sent back, changed to name another bounty, and back once it was merged', true],
    ['had in review, changed to name another bounty, and back once it was merged', true],
    ['had in review without names, changed to name another bounty, and to this once it was merged', false],
  ])('%s', async (when, isNamed) => {
    const work = await scene()
    const small = await market.openBounty({ project: work.project })
    await work.act('claim')
    const { number } = await work.opens(isNamed ? work.naming : 'Work.')
    const { submission } = (await work.submit(number)).body
    const end = (verb: string) => market.act(work.bounty, verb, work.bounty.founder, { review_notes: 'No.' })
    if (when.startsWith('sent')) expect((await end('request-changes')).status).toBe(200)
    await work.asClaimant('PATCH', `/pulls/${number}`, { body: naming(work, small.id) })
    await until(async () => !(await readRow(market.db, 'submissions', { id: submission.id })).is_attributed)
    await work.merges(number)
    await work.asClaimant('PATCH', `/pulls/${number}`, { body: work.naming })
    // What was sent back is no new work, unless its merge has accepted it.
    if (when.startsWith('sent')) expectError(await work.submit(number), 'pull_request_invalid')
    else await until(async () => (await end('reject')).status === 200)
  })
})

test('a pull request whose author has taken the names away is its work again once it submits it', async () => {
  const work = await scene()
  await work.act('claim')
  const { number } = await work.opens()
  await until(work.isSeen(number))
  await work.asClaimant('PATCH', `/pulls/${number}`, { body: 'Work.' })
  await until(async () => !(await work.isSeen(number)()))
  expect((await work.submit(number)).status).toBe(201)
  expect(await work.isSeen(number)()).toBe(true)
})

test('merged work is paid though another agent has its pull request in review, which nothing shows to be its own', async () => {
  const work = await scene()
  await work.act('claim')
  const { number } = await work.opens()
  await until(work.isSeen(number))
  const rows = createRows(market.db)
  const bounty_id = await rows.bountyAt('in_review', { project_id: work.project.id })
  const { claimed_by } = await readRow(market.db, 'bounties', { id: bounty_id })
  const pr_url = `${work.project.repo_url}/pull/${number}`
  const agent_id = claimed_by ?? ''
  const id = await rows.submission({ bounty_id, agent_id, pr_url, is_attributed: false })
  await theNextSecond()
  await work.merges(number)
  await until(async () => (await readRow(market.db, 'submissions', { id })).status === 'retracted')
  await expectPaid(work, number)
})

test('a founder that has another agent paid for a copy of the commit pays for the work that it merges', async () => {
  const work = await scene()
  await work.act('claim')
  const { number } = await work.opens()
  await until(work.isSeen(number))
  const rows = createRows(market.db)
  const { head } = (await work.asClaimant('GET', `/pulls/${number}`)).body
  const bounty_id = await rows.bounty({ project_id: work.project.id })
  const submission_id = await rows.submission({ bounty_id, status: 'approved', reviewed_at: new Date() })
  await rows.payout({ submission_id, project_id: work.project.id, head_sha: head.sha, status: 'settled' })
  await theNextSecond()
  await work.merges(number)
  await expectPaid(work, number)
})

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
