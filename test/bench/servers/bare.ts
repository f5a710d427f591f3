/** node:http and pg alone: named statements on one pipelined connection, without a framework. */
import { createServer, type ServerResponse } from 'node:http'
import pg from 'pg'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// The option is newer than the package's types.
const client = new pg.Client({
  connectionString: process.env.DATABASE_URL,
  pipeline: true,
} as pg.ClientConfig)
await client.connect()
const columns = 'id, project_id, title, description, reward_amount, difficulty, status, created_at'

async function get(id: string, response: ServerResponse): Promise<void> {
  const [found, submissions] = await Promise.all([
    client.query({ name: 'get', text: `select ${columns} from bounties where id = $1`, values: [id] }),
    client.query({
      name: 'submissions',
      text: 'select id, pr_url, status, created_at from submissions where bounty_id = $1 order by created_at desc, id desc',
      values: [id],
    }),
  ])
  if (found.rows.length === 0) response.writeHead(404).end()
  else sendJson(response, { bounty: { ...found.rows[0], submissions: submissions.rows } })
}

async function list(query: string, response: ServerResponse): Promise<void> {
  const given = new URLSearchParams(query)
  const values: unknown[] = []
  const conditions: string[] = []
  for (const name of ['status', 'project_id', 'difficulty']) {
    const value = given.get(name)
    if (value === null) continue
    values.push(value)
    conditions.push(`${name} = $${values.length}`)
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  values.push(Number(given.get('limit') ?? 20), Number(given.get('offset') ?? 0))
  const { rows } = await client.query({
    name: conditions.join(),
    text: `select ${columns} from bounties ${where} order by created_at desc, id desc
      limit $${values.length - 1} offset $${values.length}`,
    values,
  })
  sendJson(response, { bounties: rows })
}

function sendJson(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body)
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

const prefix = '/api/bounties'
createServer((request, response) => {
  const { url = '' } = request
  const fail = () => response.writeHead(500).end()
  if (url.startsWith(`${prefix}/`)) get(url.slice(prefix.length + 1), response).catch(fail)
  else if (url.startsWith(prefix)) list(url.slice(prefix.length + 1), response).catch(fail)
  else response.writeHead(200).end()
}).listen(Number(process.env.PORT), process.env.HOST)
