import {
  forEachOpenApiProcedure,
  getInputOutputParsers,
  getPathParameters,
  type OpenApiProcedure,
} from 'trpc-to-openapi'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Router } from '../../router.ts'
import type { OperationMeta } from '../../trpc.ts'

/** The part of a tRPC router that carries its operations. */
export type Operations = Pick<Router, '_def'> | { _def: { procedures: Record<string, unknown> } }

/** One operation of the router, ready to be served over HTTP. */
export interface Operation {
  /** `bounties.claim`: the path of its procedure in the router. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Whole path with `{name}` parameters. */
  path: string
  /** Names of the parameters in {@link Operation.path}. */
  pathParameters: readonly string[]
  /** Everything else it declares about itself. */
  meta: OperationMeta
  /** Schema of its input; `null` where it takes none. */
  input: z.ZodObject | null
  /** Runs the procedure: validates `input`, does the work, validates the output. Throws what tRPC throws. */
  call(context: Context, input: unknown): Promise<unknown>
  /** As `call`, without validating the output: for what is `cacheable`, whose output is what its schema makes of it (a test of all of them). */
  read(context: Context, input: unknown): Promise<unknown>
  /** The JSON of a raw result, as `call` would make it. @throws ZodError when the result breaks its promise. */
  render(result: unknown): string
}

/** What tRPC keeps of a procedure: its handler alone. */
interface Resolved {
  resolver(options: { ctx: Context; input: unknown }): Promise<unknown>
}

/**
 * Every operation of `router`. trpc-to-openapi only lists them: its own handlers change the shared schemas at run time
 * and are not fit for the open internet.
 */
export function listOperations(router: Operations): Operation[] {
  const operations: Operation[] = []
  const procedures = router._def.procedures as Record<string, OpenApiProcedure>
  forEachOpenApiProcedure<OperationMeta>(procedures, ({ path: id, type, procedure, meta }) => {
    const { inputParser, outputParser, hasInputsDefined } = getInputOutputParsers(procedure)
    if (!outputParser) throw new Error(`operation ${id} has no output schema`)
    const { resolver } = procedure._def as unknown as Resolved
    const call: Operation['call'] = (ctx, input) =>
      procedure({ ctx, path: id, type, getRawInput: async () => input, signal: ctx.signal, batchIndex: 0 })
    operations.push({
      id,
      method: meta.openapi.method as Operation['method'],
      path: meta.openapi.path,
      pathParameters: getPathParameters(meta.openapi.path),
      meta,
      input: hasInputsDefined ? (inputParser as z.ZodObject) : null,
      call,
      async read(ctx, input) {
        const parsed = inputParser.safeParse(input)
        return parsed.success ? resolver({ ctx, input: parsed.data }) : call(ctx, input)
      },
      render: (result) => JSON.stringify(outputParser.parse(result)),
    })
  })
  return operations
}
