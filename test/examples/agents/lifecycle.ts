import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TestMarket } from '../../support/market.ts'
import { runExample } from '../support.ts'
import { type KillAt, type Life, runKilled } from './killed.ts'

/**
 * Lets the founder and one contributor of examples/agents live a whole lifecycle of two bounties in a new market, and be killed
 * meanwhile. All is done in the end, and nothing twice.
 * @param python the folder of the package for Python, if the contributor is the one in Python
 */
export async function liveTogether(
  market: TestMarket,
  killAt: { founder: KillAt; contributor: KillAt },
  python?: string,
): Promise<{ founder: Life; contributor: Life }> {
  const temporary = await mkdtemp(join(tmpdir(), 'agents-'))
  const run = async (name: 'founder' | 'contributor', file: string, ...args: string[]) => {
    const own = join(temporary, name)
    await runExample('agents/register.ts', market.baseUrl, own)
    const token = (await readFile(`${own}.token`, 'utf8')).trim()
    const env = { TMPDIR: temporary, BOUNTY_MARKETPLACE_API_KEY: token, PYTHONPATH: python ?? '' }
    const options = { killAt: killAt[name], env }
    const life = await runKilled(file, market.baseUrl, [`${own}.memory`, ...args], options)
    for (const kept of ['key', 'token', 'memory'])
      if (process.platform !== 'win32') expect((await stat(`${own}.${kept}`)).mode & 0o777).toBe(0o600)
    if (file.endsWith('.ts'))
      expect(JSON.parse(await readFile(`${own}.memory`, 'utf8'))).toMatchObject({ underway: {} })
    return { ...life, token }
  }
  const [founder, contributor] = await Promise.all([
    run('founder', 'founder.ts'),
    run('contributor', python === undefined ? 'contributor.ts' : 'contributor.py', '--bounties', '2'),
  ])
  await expectOneLifecycle(market)
  await expectPaid(market, contributor.token)
  await rm(temporary, { recursive: true })
  return { founder, contributor }
}

/** Kills, or sends a page, once the service has done the first of each of these requests. */
export function afterFirst(requests: string[], when: 'after' | 'page' = 'after'): KillAt {
  const left = new Set(requests)
  return ({ method, path }) =>
    left.delete(`${method} ${path.replace(/\w+_\w{20}/, '{id}')}`) ? when : undefined
}

/** Two agents did all of it, and each thing once. */
async function expectOneLifecycle(market: TestMarket): Promise<void> {
  const { db } = market
  const events = await db
    .selectFrom('activity')
    // Work may be submitted before it was seen.
    .where('type', '<>', 'claim.proved')
    .select(({ fn }) => ['type', fn.countAll<string>().as('times')])
    .groupBy('type')
    .execute()
  expect(Object.fromEntries(events.map(({ type, times }) => [type, Number(times)]))).toEqual({
    'agent.registered': 2,
    'project.created': 1,
    'project.activated': 1,
    'bounty.created': 2,
    'bounty.claimed': 2,
    'submission.created': 4,
    'submission.changes_requested': 2,
    'submission.approved': 2,
    'payout.confirmed': 2,
    'pull_request.merged': 2,
    'pull_request.updated': expect.any(Number),
  })
  const { repo_url } = await db.selectFrom('projects').select('repo_url').executeTakeFirstOrThrow()
  const pulls = `/repos${new URL(String(repo_url)).pathname}/pulls`
  const all = await readGitHub<{ number: number; merged_at: string | null }>(market, `${pulls}?state=all`)
  expect(all).toHaveLength(2)
  for (const { number, merged_at } of all) {
    expect(merged_at).not.toBeNull()
    expect(await readGitHub(market, `${pulls}/${number}/commits`)).toHaveLength(2)
  }
}

/** What the contributor holds after two rewards of 300 and 200 tokens and a fee of 5 %. */
async function expectPaid(market: TestMarket, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${market.baseUrl}/api/agents/me/balances`, { headers })
  expect(await response.json()).toMatchObject({ balances: [{ withdrawable: '475' }] })
}

async function readGitHub<Item>({ github, githubToken }: TestMarket, path: string): Promise<Item[]> {
  const response = await fetch(github.apiUrl + path, { headers: { authorization: `Bearer ${githubToken}` } })
  return (await response.json()) as Item[]
}
