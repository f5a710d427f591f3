import { randomUUID } from 'node:crypto'
import { beforeEach } from 'vitest'
import { z } from 'zod'
import type { Database } from '../../server/db/client.ts'
import { agentProcedure, createRouter } from '../../server/trpc.ts'
import { type Caller, type Served, serve } from './serve.ts'

/** What the operation does next; each run takes one step. */
export type Step = (run: {
  /**
   * Does something that must not be done twice, and completes the request in the same transaction; `inside` is done
   * between the two.
   */
  effect(inside?: (trx: Database) => Promise<unknown>): Promise<unknown>
  /** Stores, in place of a response, what finds the work again. */
  storeResume(trx?: Database): Promise<void>
  /** What an earlier request stored. */
  resume: unknown
}) => Promise<unknown>

/**
 * An operation whose steps the tests give, served by two processes on one database, with a new agent for each test.
 * @param options whether its work may be done again where it has no transaction
 */
export async function createScriptedOperation({ repeatable = true } = {}) {
  const steps: Step[] = []
  const operations = createRouter({ work: workOf(steps, repeatable) })
  const served = await serve({ operations })
  const twin = await serve({ operations, database: { url: served.services.config.DATABASE_URL ?? '' } })
  const now = { ada: { id: '', key: '' } as Caller, key: '' }
  beforeEach(async () => {
    now.ada = await served.agent()
    now.key = randomUUID()
    steps.length = 0
  })
  return {
    operations,
    steps,
    served,
    twin,
    /** The agent and the Idempotency-Key of this test. */
    now,
    /** Sends the request; by default always the same one. */
    ask: ({ by = served, caller = now.ada, key = now.key, id = now.ada.id, body }: Request = {}) =>
      by.api('POST', `/api/work/${id}`, { key: caller.key, body, headers: { 'idempotency-key': key } }),
    /** How often this test's agent has had its effect. */
    async effects() {
      const rows = await served.db.selectFrom('service_keys').select('value').execute()
      return rows.filter(({ value }) => value.toString() === now.ada.id).length
    },
  }
}

interface Request {
  by?: Served
  caller?: Caller
  key?: string
  id?: string
  body?: unknown
}

function workOf(steps: Step[], repeatable: boolean) {
  return agentProcedure({
    method: 'POST',
    path: '/api/work/{id}',
    summary: 'Work',
    description: 'Work.',
    status: 201,
    repeatable,
  })
    .input(z.strictObject({ id: z.string(), note: z.string().optional() }))
    .output(z.object({ done: z.unknown() }))
    .mutation(async ({ ctx, input }) => {
      const step = steps.shift()
      if (!step) throw new Error('nobody expected another run')
      const { idempotent } = ctx
      const done = await step({
        resume: idempotent?.resume,
        effect: (inside) =>
          ctx.transact(async (trx) => {
            const row = { name: randomUUID(), value: Buffer.from(input.id) }
            await trx.insertInto('service_keys').values(row).execute()
            await inside?.(trx)
            return { done: 'yes', secret: 'not part of the answer' }
          }),
        storeResume: async (trx = ctx.services.db) => idempotent?.storeResume(trx, { payout: 'p1' }),
      })
      return { done: done ?? 'yes' }
    })
}

/** A step that stops in the middle until the test lets it go on. */
export function gate(before: Step = async () => undefined, after: Step = async () => undefined) {
  const { promise: reached, resolve: arrive } = deferred()
  const { promise: opened, resolve: open } = deferred()
  const step: Step = async (run) => {
    await before(run)
    arrive()
    await opened
    return after(run)
  }
  return { step, reached, open }
}

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
