import { sql } from 'kysely'
import { createCodeHostProxy } from './code-host-proxy.ts'
import { createTestMarket } from './market.ts'

/** A market, and a second process of it whose code host reports what a test wants. In the background neither reads the code host. */
export async function createPullRequestMarket(options: { rpcUrl?: string } = {}) {
  const market = await createTestMarket({ pullRequestsMs: 3_600_000, ...options })
  const host = await createCodeHostProxy(market.github.apiUrl)
  const { databaseUrl, chain, github, githubToken } = market
  const sharing = { databaseUrl, chain, githubToken, github: { ...github, apiUrl: host.apiUrl } }
  const served = await createTestMarket({ sharing, engines: false })
  const { db } = market

  return {
    market,
    host,
    served,
    /** With what another market needs to share the database and the code host. */
    sharing,
    /** The code host reports these members of a pull request from now on. */
    report(pr_url: string, members: Record<string, unknown>): void {
      const key = new URL(pr_url).pathname
      const merge = members.merged === true && { merged_at: new Date().toISOString() }
      host.pulls.set(key, { ...host.pulls.get(key), ...merge, ...members })
    },
    /** What is stored was read more than a minute ago. */
    async age(pr_url: string): Promise<void> {
      await sql`update pull_requests set read_at = now() - interval '61 seconds', due_at = now() + interval '1 hour'
        where url = ${pr_url}`.execute(db)
    },
    /** What is stored about a pull request is forgotten, as if an earlier version had got its submission. */
    async forget(pr_url: string): Promise<void> {
      await db.deleteFrom('pull_requests').where('url', '=', pr_url).execute()
      await db.updateTable('submissions').set({ head_sha: null }).where('pr_url', '=', pr_url).execute()
    },
    row: (pr_url: string) =>
      db.selectFrom('pull_requests').selectAll().where('url', '=', pr_url).executeTakeFirstOrThrow(),
    /** Types, bounties and agents of the entries about a pull request. */
    async entries(pr_url: string) {
      const { rows } = await sql<{ type: string; bounty_id: string; agent_id: string; data: unknown }>`
        select type, bounty_id, agent_id, data from activity
        where type like 'pull_request.%' and data ->> 'pr_url' = ${pr_url} order by seq`.execute(db)
      return rows
    },
  }
}
