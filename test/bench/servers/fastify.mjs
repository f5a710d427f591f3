/**
 * Fastify 5 and raw pg: schemas for requests and replies, @fastify/etag, and a pool with parameterized queries. With
 * PIPELINED it sends named statements over one pipelined connection, which is the fastest that pg has for reads.
 */
import etag from '@fastify/etag'
import { fastify } from 'fastify'
import pg from 'pg'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const { DATABASE_URL: connectionString, PIPELINED } = process.env
const pool = new pg.Pool({ connectionString, max: 10 })
const pipelined = new pg.Client({ connectionString, pipeline: true })
if (PIPELINED) await pipelined.connect()
const query = (name, text, values) =>
  PIPELINED ? pipelined.query({ name, text, values }) : pool.query(text, values)
const app = fastify()
await app.register(etag)

const columns = 'id, project_id, title, description, reward_amount, difficulty, status, created_at'
const difficulty = { type: 'string', enum: ['easy', 'medium', 'hard', 'extreme'] }
const status = { type: 'string', enum: ['open', 'claimed', 'in_review', 'done'] }
const bounty = {
  id: { type: 'string' },
  project_id: { type: 'string' },
  title: { type: 'string' },
  description: { type: 'string' },
  reward_amount: { type: 'integer' },
  difficulty,
  status,
  created_at: { type: 'string', format: 'date-time' },
}
const submission = {
  id: { type: 'string' },
  pr_url: { type: 'string' },
  status: { type: 'string' },
  created_at: { type: 'string', format: 'date-time' },
}

app.get('/healthz', async () => ({ status: 'ok' }))

app.get('/api/bounties/:id', {
  schema: {
    params: { type: 'object', properties: { id: { type: 'string', maxLength: 200 } }, required: ['id'] },
    response: {
      200: {
        type: 'object',
        properties: {
          bounty: {
            type: 'object',
            properties: {
              ...bounty,
              submissions: { type: 'array', items: { type: 'object', properties: submission } },
            },
          },
        },
      },
    },
  },
  handler: async (request, reply) => {
    const { id } = request.params
    const [found, submissions] = await Promise.all([
      query('get', `select ${columns} from bounties where id = $1`, [id]),
      query(
        'submissions',
        'select id, pr_url, status, created_at from submissions where bounty_id = $1 order by created_at desc, id desc',
        [id],
      ),
    ])
    if (found.rows.length === 0) return reply.code(404).send({ error: 'not found' })
    return { bounty: { ...found.rows[0], submissions: submissions.rows } }
  },
})

app.get('/api/bounties', {
  schema: {
    querystring: {
      type: 'object',
      properties: {
        status,
        difficulty,
        project_id: { type: 'string', maxLength: 200 },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        offset: { type: 'integer', minimum: 0, default: 0 },
      },
    },
    response: {
      200: {
        type: 'object',
        properties: { bounties: { type: 'array', items: { type: 'object', properties: bounty } } },
      },
    },
  },
  handler: async ({ query: given }) => {
    const values = []
    // As the service does: without a status its lists leave cancelled bounties out.
    const conditions = given.status === undefined ? ["status <> 'cancelled'"] : []
    for (const name of ['status', 'project_id', 'difficulty'])
      if (given[name] !== undefined) {
        values.push(given[name])
        conditions.push(`${name} = $${values.length}`)
      }
    values.push(given.limit, given.offset)
    const { rows } = await query(
      conditions.join(),
      `select ${columns} from bounties where ${conditions.join(' and ')} order by created_at desc, id desc
       limit $${values.length - 1} offset $${values.length}`,
      values,
    )
    return { bounties: rows }
  },
})

await app.listen({ port: Number(process.env.PORT), host: process.env.HOST })
