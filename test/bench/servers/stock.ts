/** trpc-to-openapi's own node handler and Kysely: procedures of the shape that the service has, behind its adapter. */
import { createServer } from 'node:http'
import { initTRPC, TRPCError } from '@trpc/server'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createOpenApiHttpHandler, type OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import type { DB } from '../../../server/db/generated/tables.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
const t = initTRPC.meta<OpenApiMeta>().create()

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
const difficulty = z.enum(['easy', 'medium', 'hard', 'extreme'])
const status = z.enum(['open', 'claimed', 'in_review', 'done', 'cancelled'])
const bounty = z.object({
  id: z.string(),
  project_id: z.string(),
  title: z.string(),
  description: z.string(),
  reward_amount: z.number().int(),
  difficulty,
  status,
  created_at: z.iso.datetime(),
})
const submission = z.object({
  id: z.string(),
  pr_url: z.url(),
  status: z.enum(['pending', 'approving', 'approved', 'rejected', 'changes_requested', 'retracted']),
  created_at: z.iso.datetime(),
})

const get = t.procedure
  .meta({ openapi: { method: 'GET', path: '/api/bounties/{id}' } })
  .input(z.object({ id: z.string().max(200) }))
  .output(z.object({ bounty: bounty.extend({ submissions: z.array(submission) }) }))
  .query(async ({ input: { id } }) => {
    const [row, rows] = await Promise.all([
      db.selectFrom('bounties').where('id', '=', id).select(columns).executeTakeFirst(),
      db
        .selectFrom('submissions')
        .where('bounty_id', '=', id)
        .select(['id', 'pr_url', 'status', 'created_at'])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    ])
    if (!row) throw new TRPCError({ code: 'NOT_FOUND' })
    const submissions = rows.map((each) => ({ ...each, created_at: each.created_at.toISOString() }))
    return { bounty: { ...row, created_at: row.created_at.toISOString(), submissions } }
  })

const list = t.procedure
  .meta({ openapi: { method: 'GET', path: '/api/bounties' } })
  .input(
    z.object({
      status: status.optional(),
      project_id: z.string().max(200).optional(),
      difficulty: difficulty.optional(),
      limit: z.number().int().min(1).max(100).default(20),
      offset: z.number().int().min(0).default(0),
    }),
  )
  .output(z.object({ bounties: z.array(bounty) }))
  .query(async ({ input }) => {
    let query = db.selectFrom('bounties').select(columns)
    if (input.status) query = query.where('status', '=', input.status)
    if (input.project_id) query = query.where('project_id', '=', input.project_id)
    if (input.difficulty) query = query.where('difficulty', '=', input.difficulty)
    const rows = await query
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(input.limit)
      .offset(input.offset)
      .execute()
    return { bounties: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })) }
  })

const router = t.router({ get, list })
createServer(createOpenApiHttpHandler({ router })).listen(Number(process.env.PORT), process.env.HOST)
