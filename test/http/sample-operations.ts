import { z } from 'zod'
import { ServiceError } from '../../server/errors.ts'
import { agentProcedure, createRouter, publicProcedure } from '../../server/trpc.ts'

/** Operations whose behaviour is plain enough to see what surrounds them. */
export const sampleOperations = createRouter({
  read: publicProcedure(probe('GET', '/api/probes/{id}'))
    .input(
      z.strictObject({
        id: z.string().max(200),
        count: z.int().default(20),
        balance: z.number().nullable().optional(),
        word: z.string().optional(),
      }),
    )
    .output(z.unknown())
    .query(({ input }) => input),

  readAll: publicProcedure(probe('GET', '/api/probes'))
    .output(z.object({ probes: z.array(z.string()) }))
    .query(() => ({ probes: [] })),

  write: agentProcedure(probe('POST', '/api/probes/{id}', 201))
    .input(
      z.strictObject({
        id: z.string(),
        count: z.int(),
        note: z.string().optional(),
        nested: z.unknown().optional(),
      }),
    )
    .output(z.unknown())
    .mutation(({ input }) => input),

  touch: agentProcedure(probe('POST', '/api/probes/{id}/touch'))
    .output(z.object({ touched: z.boolean() }))
    .mutation(() => ({ touched: true })),

  breakPromise: publicProcedure(probe('GET', '/api/broken/promise'))
    .output(z.object({ id: z.string() }))
    .query(() => ({ id: 12 as unknown as string })),

  crash: publicProcedure(probe('GET', '/api/broken/crash'))
    .input(z.strictObject({ secret: z.string() }))
    .output(z.object({}))
    .query(({ input }) => {
      throw new Error(`password is bmk_${input.secret} at https://user:pass@node.example/${input.secret}`)
    }),

  payoutFailed: publicProcedure(probe('GET', '/api/broken/payout'))
    .output(z.object({}))
    .query(() => {
      throw new ServiceError('payouts_disabled', undefined, { retryAfter: 12.2 })
    }),
})

function probe(method: 'GET' | 'POST', path: `/api/${string}`, status: 200 | 201 = 200) {
  return { method, path, summary: 'Probe', description: 'Probe.', status }
}
