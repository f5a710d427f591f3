import type pg from 'pg'
import { createDatabase, createPool } from '../../../server/db/client.ts'
import { newId } from '../../../server/ids.ts'
import { createAgents } from '../../support/agents.ts'
import { createRandom } from '../../support/random.ts'
import { connect } from '../harness/postgres.ts'
import { createTexts } from '../seeding/text.ts'

const agentCount = 200
const projectCount = 100

/** An agent with its API key. */
export interface BenchAgent {
  id: string
  key: string
}

/** A bounty and the agent that is to claim it, or has. */
export interface ClaimableBounty {
  id: string
  agent: BenchAgent
}

export type Claimables = Awaited<ReturnType<typeof createClaimables>>

/** Agents, projects, and as many bounties as are asked for: written past the triggers, they are there in a moment. */
export async function createClaimables(url: string, repoUrl: string) {
  const client = await connect(url)
  await client.query('set session_replication_role = replica')
  const agents = await createBenchAgents(url, agentCount)
  const projects = await createProjects(client, repoUrl)
  const random = createRandom(11)
  const texts = createTexts()
  let made = 0
  return {
    client,
    agents,
    repoUrl,
    /** New bounties, each for another pair of agent and project; those made before are done. */
    async bounties(count: number, status: 'open' | 'claimed'): Promise<ClaimableBounty[]> {
      if (count > agentCount * projectCount) throw new Error('not so many at once')
      await client.query(
        `update bounties set status = 'done', claimed_by = coalesce(claimed_by, $1), claimed_at = coalesce(claimed_at, now()),
                claim_expires_at = null, extensions_left = null, proof_due_at = null, look_at = null
          where project_id = any ($2) and status <> 'done'`,
        [agents[0]?.id, projects],
      )
      const bounties = Array.from({ length: count }, (_, index) => ({
        id: newId('bounty'),
        project: projects[Math.floor(index / agentCount)] as string,
        title: texts.title(random),
        description: texts.description(random, made++),
        agent: agents[index % agentCount] as BenchAgent,
      }))
      const claim = "agent ->> 'id', now(), now() + interval '1 day', 2"
      await client.query(
        `insert into bounties (id, project_id, title, description, reward_amount, difficulty, status, claimed_by, claimed_at,
                               claim_expires_at, extensions_left)
         select id, project, title, description, 100, 'easy', '${status}',
                ${status === 'claimed' ? claim : 'null, null, null, null'}
           from json_to_recordset($1) as made (id text, project text, title text, description text, agent json)`,
        [JSON.stringify(bounties)],
      )
      return bounties
    },
    close: () => client.end(),
  }
}

/** Agents whose keys a process verifies in no time. */
export async function createBenchAgents(url: string, count: number): Promise<BenchAgent[]> {
  const db = createDatabase(createPool(url, { size: 2 }))
  return createAgents(db, count).finally(() => db.destroy())
}

/** Founded by somebody who claims nothing. */
async function createProjects(client: pg.Client, repoUrl: string): Promise<string[]> {
  const founder = newId('agent')
  await client.query(
    `insert into agents (id, name, key_id, key_hash) values ($1, 'Founder', $1, '$argon2id$none')`,
    [founder],
  )
  const projects = Array.from({ length: projectCount }, () => newId('project'))
  await client.query(
    `insert into projects (id, name, description, status, founder_id, token_symbol, token_supply, founder_wallet,
                           token_address, curve_address, repo_url)
     select id, 'Measured', 'Written to be worked on.', 'active', $1, 'SEED', 1000000000, '0x' || repeat('4', 40),
            '0x5' || lpad(to_hex(n), 39, '0'), '0x6' || lpad(to_hex(n), 39, '0'), $3
       from unnest($2::text[]) with ordinality as made (id, n)`,
    [founder, projects, repoUrl],
  )
  return projects
}
