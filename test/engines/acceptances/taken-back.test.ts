/** @module-tag git */
import { beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createHostScene, type HostScene } from './host-scene.ts'

/* What an author says of its pull request at the code host, and takes back, to be paid for what it did not do. */
let host: Awaited<ReturnType<typeof createHostScene>>
beforeAll(async () => {
  host = await createHostScene()
})
const scene = () => host.scene()
const expectPaid: typeof host.expectPaid = (work, number) => host.expectPaid(work, number)

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
  const naming = ({ claimant }: HostScene, ...ids: string[]) =>
    [...ids.map((id) => `Bounty: ${id}`), `Agent: ${claimant.id}`].join('\n')

  test('changed to name this bounty right before', async () => {
    const work = await scene()
    const small = await host.market.openBounty({ project: work.project })
    await work.act('claim')
    const { number } = await work.opens(naming(work, small.id))
    await work.asClaimant('PATCH', `/pulls/${number}`, { body: work.naming })
    await until(work.isSeen(number))
    await work.merges(number)
    const submitted = await work.submit(number)
    expect(submitted.body.warnings).toEqual([expect.stringContaining('the founder decides')])
    // Until the reported merge is read, nothing ends the review.
    const seen = { bounty_id: work.bounty.id, number }
    await until(async () => (await readRow(host.market.db, 'seen_pulls', seen)).merged_at === null)
    expect((await work.reject()).status).toBe(200)
  })

  test.each([
    'changed to name another bounty',
    'changed to name another bounty while it was closed',
    'added another bounty to',
  ])('%s', async (how) => {
    const work = await scene()
    const small = await host.market.openBounty({ project: work.project })
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

  test('opened with the name of another bounty in HTML, which its page shows', async () => {
    const work = await scene()
    const small = await host.market.openBounty({ project: work.project })
    await work.act('claim')
    const { number } = await work.opens(`Agent: ${work.claimant.id}\n\n<p>Bounty: ${small.id}</p>`)
    expectError(await work.submit(number), 'pull_request_invalid')
  })

  test('opened with the name of this bounty where its page does not show it', async () => {
    const work = await scene()
    await work.act('claim')
    const { number } = await work.opens(`Agent: ${work.claimant.id}\n\n<!-- Bounty: ${work.bounty.id} -->`)
    const submitted = await work.submit(number)
    expect(submitted.body.warnings).toEqual([expect.stringContaining('does not name this bounty')])
    expect(await work.isSeen(number)()).toBe(false)
    await work.merges(number)
    expect((await work.reject()).status).toBe(200)
  })

  test.each(['sent back and then', 'had in review and'])(
    '%s changed to name another bounty',
    async (when) => {
      const work = await scene()
      const small = await host.market.openBounty({ project: work.project })
      await work.act('claim')
      const { number } = await work.opens()
      expect((await work.submit(number)).status).toBe(201)
      const end = (verb: string) =>
        host.market.act(work.bounty, verb, work.bounty.founder, { review_notes: 'No.' })
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
    const small = await host.market.openBounty({ project: work.project })
    await work.act('claim')
    const { number } = await work.opens(isNamed ? work.naming : 'Work.')
    const { submission } = (await work.submit(number)).body
    const end = (verb: string) =>
      host.market.act(work.bounty, verb, work.bounty.founder, { review_notes: 'No.' })
    if (when.startsWith('sent')) expect((await end('request-changes')).status).toBe(200)
    await work.asClaimant('PATCH', `/pulls/${number}`, { body: naming(work, small.id) })
    await until(
      async () => !(await readRow(host.market.db, 'submissions', { id: submission.id })).is_attributed,
    )
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
