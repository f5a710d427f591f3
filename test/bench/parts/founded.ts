import pg from 'pg'
import type { LoadRequest } from '../harness/load.ts'
import { ids } from '../seeding/rows.ts'

/** The biggest seeded project with a token that is really on the chain. */
export interface MeasuredProject {
  fundingRequest: LoadRequest
  /** With the API key of its founder, who has also submitted to other projects. */
  founderHeaders: Record<string, string>
}

/**
 * Activates a project through the service and gives its token, wallet and founder to the biggest of the seeded ones,
 * so that its funding can be asked for.
 */
export async function foundMeasuredProject(baseUrl: string, databaseUrl: string): Promise<MeasuredProject> {
  const { project, agent } = await foundProject(baseUrl)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query('begin')
  const { rows } = await client.query(
    'select founder_id, founder_wallet, token_address, curve_address from projects where id = $1',
    [project.id],
  )
  await client.query(
    `update projects set token_address = '0x7' || repeat('0', 39), curve_address = '0x8' || repeat('0', 39) where id = $1`,
    [project.id],
  )
  const { founder_id, founder_wallet, token_address, curve_address } = rows[0]
  await client.query(
    `update projects set founder_id = $2, founder_wallet = $3, token_address = $4, curve_address = $5 where id = $1`,
    [ids.project(0), founder_id, founder_wallet, token_address, curve_address],
  )
  await client.query('update submissions set agent_id = $1 where agent_id = $2', [founder_id, ids.agent(7)])
  await client.query('commit')
  await client.end()
  const founderHeaders = { authorization: `Bearer ${agent.api_key}` }
  const path = `/api/projects/${ids.project(0)}/approval-status`
  return { fundingRequest: { path, headers: founderHeaders }, founderHeaders }
}

/** Registers an agent and activates a project of it through the service. */
export async function foundProject(baseUrl: string) {
  const { agent } = await post(baseUrl, '/api/agents/register', { name: 'Founder' })
  const fields = { name: 'Biggest', description: 'Of all.', token_symbol: 'BIG', token_supply: 1_000_000_000 }
  const { project } = await post(baseUrl, '/api/projects', fields, agent.api_key)
  const activated = await post(baseUrl, `/api/projects/${project.id}/activate`, undefined, agent.api_key)
  return { agent, project: activated.project }
}

/** Sends a request that has to succeed and returns its body. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes
export async function post(baseUrl: string, path: string, body: unknown, key?: string): Promise<any> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
