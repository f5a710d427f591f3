import { sql } from 'kysely'
import { expect } from 'vitest'
import { directoryForFile } from '../../embedded/support.ts'
import { cloned, hostTokenOf } from '../../support/claimants.ts'
import { beatHeart } from '../../support/deadlines.ts'
import { createTestMarket, type TestMarketOptions } from '../../support/market.ts'
import { until } from '../../support/until.ts'

export const rule = { checks: ['test'], allowed_paths: ['*.txt'], hours: 1 }

/** A project at a code host with git, whose founder posts the check `test` with an account of its own, and a bounty with a rule. */
export async function createSilenceScene(options: TestMarketOptions = {}) {
  const market = await createTestMarket({ git: true, databaseLoops: true, pullRequestsMs: 50, ...options })
  const folder = await directoryForFile()
  const project = await market.activeProject()
  const { founder } = project
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
  // Only when a test asks: a machine without git skips them all, and its host has no tokens.
  let maintainer: Promise<string> | undefined
  async function becomeMaintainer() {
    const token = await hostTokenOf(founder, project.repo_url)
    const { status, body } = await market.api('POST', `/api/projects/${project.id}/maintainer`, {
      key: founder.key,
      body: { github_login: founder.id },
    })
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return token
  }
  const asFounder = async (method: string, path: string, body?: object) => {
    maintainer ??= becomeMaintainer()
    return host(await maintainer, method, path, body)
  }
  const posts = async (sha: string, state = 'success', context = 'test') => {
    const { status } = await asFounder('POST', `/statuses/${sha}`, { state, context })
    expect(status).toBe(201)
  }
  const create = (acceptance: unknown, key = founder.key) =>
    market.api('POST', `/api/projects/${project.id}/bounties`, {
      key,
      body: { title: 'Slugs', description: 'All of it.', reward_amount: 100, acceptance },
    })

  /** The check is green on the default branch, as it is now. */
  const postsOnMain = async () => posts((await asFounder('GET', '/commits/main')).body.sha)

  /** A pull request of a claimant in review for a bounty with the rule, as it was opened. */
  async function inReview(wanted: object = rule) {
    await postsOnMain()
    const created = await create(wanted)
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const { id } = created.body.bounty
    const work = await cloned(market, folder, { id, project, founder })
    const { claimant, token } = work
    expect((await work.act('claim')).status).toBe(200)
    const commit = async () => {
      await work.commit()
      await work.push(id)
    }
    await commit()
    const opened = await host(token, 'POST', '/pulls', {
      title: 'Work',
      head: `${claimant.id}/${id}`,
      base: 'main',
    })
    const { number } = opened.body
    const head = async () => (await asFounder('GET', `/pulls/${number}`)).body.head.sha as string
    const submitted = await work.act('submit', { id }, { pr_url: `${project.repo_url}/pull/${number}` })
    expect(submitted.status, JSON.stringify(submitted.body)).toBe(201)
    const submissionId = submitted.body.submission.id as string
    const acceptance = async () =>
      (await market.api('GET', `/api/bounties/${id}/acceptance`, { key: claimant.key })).body.acceptance
    return {
      ...work,
      id,
      number,
      submissionId,
      commitAndPush: commit,
      head,
      acceptance,
      /** Its look says so. */
      is: (expected: Record<string, unknown>) =>
        until(async () => {
          const found = await acceptance()
          return Object.entries(expected).every(([name, value]) => found[name] === value)
        }),
      /** Its window is over, and it is looked at. */
      async endWindow() {
        await beatHeart(market.db)
        await sql`update submissions set accepts_at = now() - interval '1 second' where id = ${submissionId}`.execute(
          market.db,
        )
        await sql`update pull_requests set acceptance_due_at = now() from submissions
          where submissions.id = ${submissionId} and pr_url = url`.execute(market.db)
      },
      submission: async () =>
        (await market.api('GET', `/api/submissions/${submissionId}`, { key: claimant.key })).body.submission,
      review: (verb: string, body?: object) => market.act({ id }, verb, founder, body),
      asAgent: (method: string, path: string, body?: object) => host(token, method, path, body),
      /** What the log says of its window. */
      async events() {
        const { rows } = await sql<{ type: string; data: Record<string, string>; created_at: Date }>`
          select type, data, created_at from activity where submission_id = ${submissionId} and type like 'acceptance.%' order by seq`.execute(
          market.db,
        )
        return rows
      },
      async payouts() {
        const rows = await market.db
          .selectFrom('payouts')
          .where('submission_id', '=', submissionId)
          .select(['head_sha', 'status', 'begun_at', 'payout_id'])
          .execute()
        const paid = (await market.chain.payments()).filter((one) =>
          rows.some((row) => row.payout_id === one.payoutId),
        )
        return { rows, paid: paid.length }
      },
    }
  }
  return { market, project, founder, host, asFounder, posts, postsOnMain, create, inReview }
}
