import { expect } from 'vitest'
import { directoryForFile } from '../../embedded/support.ts'
import { cloned, hostTokenOf } from '../../support/claimants.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

/** A market whose code host has git. */
export async function createHostScene() {
  const market = await createTestMarket({ git: true, databaseLoops: true })
  const folder = await directoryForFile()

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
    let branches = 0
    return {
      ...claimant,
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
      /** Opens a pull request with a commit of its own, from a branch that names the bounty, unless it is another one; its number and branch. */
      async opens(branch = `${bounty.id}-${++branches}`) {
        await claimant.commit()
        await claimant.push(branch)
        const head = `${claimant.claimant.id}/${branch}`
        const { body: pull } = await host(token, 'POST', '/pulls', {
          title: 'Work',
          head,
          base: 'main',
        })
        return { number: pull.number as number, branch, head }
      },
      isSeen: (number: number) => async () => {
        const rows = await market.db
          .selectFrom('seen_pulls')
          .selectAll()
          .where('bounty_id', '=', bounty.id)
          .where('number', '=', number)
          .execute()
        return rows.length > 0
      },
    }
  }

  /** It is paid once it is submitted, and cannot be rejected. */
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
  return { market, folder, scene, expectPaid }
}

/** A claimant, and the code host as it and its founder use it. */
export type HostScene = Awaited<ReturnType<Awaited<ReturnType<typeof createHostScene>>['scene']>>

/** The host dates a merge to whole seconds, and what is merged in the second of the claim may have been merged before it. */
export async function theNextSecond() {
  const second = Math.floor(Date.now() / 1000)
  await until(() => Date.now() >= (second + 1) * 1000)
}
