/** Express 5 and raw pg. Its own ETags are on, as they are by default. */
import express from 'express'
import pg from 'pg'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = express()
const columns = 'id, project_id, title, description, reward_amount, difficulty, status, created_at'

app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))

app.get('/api/bounties/:id', async (request, response) => {
  const { id } = request.params
  const [found, submissions] = await Promise.all([
    pool.query(`select ${columns} from bounties where id = $1`, [id]),
    pool.query(
      'select id, pr_url, status, created_at from submissions where bounty_id = $1 order by created_at desc, id desc',
      [id],
    ),
  ])
  if (found.rows.length === 0) response.status(404).json({ error: 'not found' })
  else response.json({ bounty: { ...found.rows[0], submissions: submissions.rows } })
})

app.get('/api/bounties', async ({ query }, response) => {
  const values: unknown[] = []
  const conditions: string[] = []
  for (const name of ['status', 'project_id', 'difficulty'])
    if (typeof query[name] === 'string') {
      values.push(query[name])
      conditions.push(`${name} = $${values.length}`)
    }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  values.push(Math.min(Number(query.limit ?? 20), 100), Number(query.offset ?? 0))
  const { rows } = await pool.query(
    `select ${columns} from bounties ${where} order by created_at desc, id desc
     limit $${values.length - 1} offset $${values.length}`,
    values,
  )
  response.json({ bounties: rows })
})

app.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1')
