import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { git } from '../embedded/github/git-client.ts'
import type { TestMarket } from './market.ts'
import type { TestBounty } from './scenarios.ts'

/** The token of an agent at the embedded code host. */
export async function hostTokenOf({ key }: { key: string }, repoUrl: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const issued = await fetch(`${new URL(repoUrl).origin}/token`, { method: 'POST', headers })
  const body = (await issued.json()) as { token: string }
  expect(issued.status, JSON.stringify(body)).toBe(201)
  return body.token
}

/** A new agent with a clone of the bounty's repository in `folder`. */
export async function cloned(market: TestMarket, folder: string, given?: TestBounty) {
  const bounty = given ?? (await market.openBounty())
  const claimant = await market.register()
  const { project } = bounty
  const token = await hostTokenOf(claimant, project.repo_url)
  const clone = join(folder, claimant.id)
  const run = async (...args: string[]) => {
    const { code, output } = await git(folder, args, token)
    expect(code, output).toBe(0)
  }
  await run('clone', '-q', project.repo_url, clone)
  let files = 0
  const commit = async () => {
    await writeFile(join(clone, `${++files}.txt`), claimant.id)
    await run('-C', clone, 'add', '.')
    await run('-C', clone, 'commit', '-q', '-m', 'Begin')
  }
  const push = (branch: string, from = 'HEAD') =>
    run('-C', clone, 'push', '-q', '-f', 'origin', `${from}:refs/heads/${claimant.id}/${branch}`)
  const claimOf = async ({ id }: { id: string }) =>
    (await market.api('GET', `/api/bounties/${id}/claim`, { key: claimant.key })).body.claim
  const act = (verb: string, { id }: { id: string } = bounty, body?: object) =>
    market.act({ id }, verb, claimant, body)
  return {
    bounty,
    project,
    claimant,
    token,
    run: (...args: string[]) => run('-C', clone, ...args),
    commit,
    push,
    claimOf,
    act,
  }
}
