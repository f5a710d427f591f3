/** Hono and Kysely, with zod for what comes in and Hono's ETag middleware. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import type { DB } from '../../../server/db/generated/tables.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
const columns = [
  'id',
  'project_id',
  'title',
  'description',
  'reward_amount',
  'difficulty',
  'status',
  'created_at',
] as const

const listQuery = z.object({
  status: z.enum(['open', 'claimed', 'in_review', 'done']).optional(),
  project_id: z.string().max(200).optional(),
  difficulty: z.enum(['easy', 'medium', 'hard', 'extreme']).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).default(0),
})

const app = new Hono()
app.use('/api/*', etag())

app.get('/healthz', (context) => context.json({ status: 'ok' }))

app.get('/api/bounties/:id', async (context) => {
  const id = context.req.param('id')
  const [bounty, submissions] = await Promise.all([
    db.selectFrom('bounties').where('id', '=', id).select(columns).executeTakeFirst(),
    db
      .selectFrom('submissions')
      .where('bounty_id', '=', id)
      .select(['id', 'pr_url', 'status', 'created_at'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute(),
  ])
  if (!bounty) return context.json({ error: 'not found' }, 404)
  return context.json({ bounty: { ...bounty, submissions } })
})

app.get('/api/bounties', async (context) => {
  const parsed = listQuery.safeParse(context.req.query())
  if (!parsed.success) return context.json({ error: parsed.error.message }, 400)
  const { status, project_id, difficulty, limit, offset } = parsed.data
  let query = db.selectFrom('bounties').select(columns)
  if (status) query = query.where('status', '=', status)
  if (project_id) query = query.where('project_id', '=', project_id)
  if (difficulty) query = query.where('difficulty', '=', difficulty)
  const bounties = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return context.json({ bounties })
})

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: process.env.HOST })
