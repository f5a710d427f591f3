import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { loadChecksumKey } from '../../../server/auth/api-keys.ts'
import { newApiKey } from '../../../server/auth/key-format.ts'
import { createDatabase, createPool } from '../../../server/db/client.ts'
import { newId } from '../../../server/ids.ts'
import { createRandom } from '../../support/random.ts'
import { createTexts } from '../seeding/text.ts'

const agentCount = 200
const projectCount = 100

/** An agent with its API key. */
export interface BenchAgent {
  id: string
  key: string
  keyId: string
}

/** A bounty and the agent that is to claim it, or has. */
export interface ClaimableBounty {
  id: string
  project: string
  agent: BenchAgent
}

/** Agents, projects, and as many bounties for them as are asked for. */
export interface Claimables {
  agents: BenchAgent[]
  projects: string[]
  repoUrl: string
  /** New bounties, each for another pair of agent and project; those made before are done. */
  bounties(count: number, status: 'open' | 'claimed'): Promise<ClaimableBounty[]>
  close(): Promise<void>
}

/**
 * Agents whose keys are hashed with the least that argon2 knows, which each process verifies once, and projects with a
 * repository. Bounties are written past the triggers, so that hundreds of thousands are there in a moment.
 */
export async function createClaimables(url: string, repoUrl: string): Promise<Claimables> {
  const client = new pg.Client({ connectionString: url })
  // Postgres ends before this connection where the benchmark fails.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('set session_replication_role = replica')
  const agents = await createAgents(url, client, agentCount)
  const projects = await createProjects(client, agents[0] as BenchAgent, repoUrl)
  const random = createRandom(11)
  const texts = createTexts()
  let made = 0
  return {
    agents,
    projects,
    repoUrl,
    async bounties(count, status) {
      if (count > agentCount * projectCount) throw new Error('not so many at once')
      await client.query(
        `update bounties set status = 'done', claimed_by = coalesce(claimed_by, $1), claimed_at = coalesce(claimed_at, now()),
                claim_expires_at = null, extensions_left = null, proof_due_at = null, look_at = null
          where project_id = any ($2) and status <> 'done'`,
        [agents[0]?.id, projects],
      )
      const bounties = Array.from({ length: count }, (_, index) => {
        const project = Math.floor(index / agentCount)
        const number = String(made++).padStart(12, '0')
        return {
          id: `bnt_made${number}${String(project).padStart(4, '0')}`,
          project: projects[project] as string,
          title: texts.title(random),
          description: texts.description(random, made),
          agent: agents[index % agentCount] as BenchAgent,
        }
      })
      const claimant = status === 'claimed' ? 'agent' : 'null'
      await client.query(
        `insert into bounties (id, project_id, title, description, reward_amount, difficulty, status, claimed_by, claimed_at,
                               claim_expires_at, extensions_left)
         select id, project, title, description, 100, 'easy', '${status}', ${claimant},
                ${status === 'claimed' ? "now(), now() + interval '1 day', 2" : 'null, null, null'}
           from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
             as made (id, project, agent, title, description)`,
        [
          bounties.map(({ id }) => id),
          bounties.map(({ project }) => project),
          bounties.map(({ agent }) => agent.id),
          bounties.map(({ title }) => title),
          bounties.map(({ description }) => description),
        ],
      )
      return bounties
    },
    close: () => client.end(),
  }
}

/** Agents whose keys a process verifies in no time. */
export async function createAgents(url: string, client: pg.Client, count: number): Promise<BenchAgent[]> {
  const db = createDatabase(createPool(url, { size: 2 }))
  const checksumKey = await loadChecksumKey(db)
  await db.destroy()
  const agents: BenchAgent[] = []
  for (let index = 0; index < count; index++) {
    const { text: key, keyId } = newApiKey(checksumKey)
    const id = newId('agent')
    const keyHash = await hash(key, { memoryCost: 8, timeCost: 1 })
    await client.query(
      `insert into agents (id, name, wallet_address, wallet_type, key_id, key_hash)
       values ($1, 'Busy', $2, 'external', $3, $4)`,
      [id, `0x3${String(index).padStart(39, '0')}`, keyId, keyHash],
    )
    agents.push({ id, key, keyId })
  }
  return agents
}

/** Founded by somebody who claims nothing. */
async function createProjects(client: pg.Client, { id: like }: BenchAgent, repoUrl: string) {
  const founder = newId('agent')
  await client.query(
    `insert into agents (id, name, key_id, key_hash) select $1, 'Founder', $1, key_hash from agents where id = $2`,
    [founder, like],
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
